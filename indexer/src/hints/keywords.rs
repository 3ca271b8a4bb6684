//! What a word means to the byte scanner, by language.
//!
//! Only words that matter to it stand here; a word that is a keyword in some dialect but a common name in another
//! (`new`, `class` in C) is a name there.

use std::sync::LazyLock;

use pincite_shared::language::Language;

use Meaning::{Binder, Case, Constant, Container, Control, Introducer, Type};

/// What a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A name.
    Name,
    /// Goes on or begins an expression or a statement: never a name, and no type stands before a name.
    Control,
    /// `case` and its like: up to the next `:` a label is read.
    Case,
    /// A type or modifier: never a name, but may stand before one or behind a parameter list.
    Type,
    /// The curly brackets that follow hold members: `class`, `namespace`.
    Container,
    /// The next word is a function's name: `def`, `fn`.
    Introducer,
    /// The next word is a constant or variable: `let`, `var`.
    Binder,
    /// A value, never a name bound: `true`, `nil`, `this`.
    Constant,
}

/// Words parted by blanks, with what they mean.
type Table = &'static [(Meaning, &'static str)];

const C: Table = &[
    (Control, "if else for while do switch return goto sizeof break continue typeof alignof asm"),
    (Case, "case default"),
    (
        Type,
        "int char void long short float double signed unsigned const volatile static extern register inline \
         typedef auto restrict bool alignas __attribute__ __declspec __asm__",
    ),
    (Container, "struct union enum"),
    (Constant, "true false nullptr NULL"),
];

const CPP: Table = &[
    (
        Control,
        "throw new delete co_return co_await co_yield try catch decltype static_assert static_cast const_cast \
         dynamic_cast reinterpret_cast operator and or not",
    ),
    (
        Type,
        "constexpr consteval constinit virtual explicit friend mutable noexcept override final typename \
         template using public private protected wchar_t requires thread_local",
    ),
    (Container, "class namespace"),
    (Constant, "this"),
];

const C_SHARP: Table = &[
    (
        Control,
        "if else for foreach while do switch return goto sizeof break continue typeof nameof throw new try \
         catch finally lock is as in await using fixed checked unchecked operator stackalloc",
    ),
    (Case, "case default"),
    (
        Type,
        "int uint long ulong short ushort byte sbyte char bool string object void float double decimal public \
         private protected internal static readonly const virtual override abstract sealed async extern unsafe \
         ref out params event delegate partial where volatile",
    ),
    (Container, "class struct interface enum namespace"),
    (Constant, "true false null this base"),
];

const GO: Table = &[
    (Control, "if else for switch select return goto break continue range go defer fallthrough"),
    (Case, "case default"),
    (Type, "chan map"),
    (Container, "struct interface"),
    (Introducer, "func"),
    (Binder, "const var"),
    (Constant, "true false nil"),
];

const JAVA: Table = &[
    (
        Control,
        "if else for while do switch return break continue throw new try catch finally instanceof synchronized \
         assert",
    ),
    (Case, "case default"),
    (
        Type,
        "int long short byte char boolean void float double public private protected static final abstract \
         native transient volatile throws extends implements",
    ),
    (Container, "class interface enum"),
    (Constant, "true false null this super"),
];

const SCRIPT: Table = &[
    (
        Control,
        "if else for while do switch return break continue throw new try catch finally instanceof typeof in \
         delete await yield with import export",
    ),
    (Case, "case default"),
    (Type, "extends implements void"),
    (Container, "class interface enum"),
    (Introducer, "function"),
    (Binder, "const let var"),
    (Constant, "true false null this super undefined"),
];

const LUA: Table = &[
    (Control, "if then else elseif end for while do repeat until return break goto in and or not"),
    (Introducer, "function"),
    (Binder, "local"),
    (Constant, "true false nil"),
];

const PYTHON: Table = &[
    (
        Control,
        "if else elif for while return break continue raise try except finally with as in is and or not lambda \
         yield await assert del import from pass global nonlocal async",
    ),
    (Container, "class"),
    (Introducer, "def"),
    (Constant, "None True False"),
];

const RUST: Table = &[
    (Control, "if else for while loop match return break continue as in await async move use"),
    (Type, "pub unsafe extern where dyn mut ref type crate"),
    (Container, "struct enum union trait impl mod"),
    (Introducer, "fn"),
    (Binder, "const static let"),
    (Constant, "true false self"),
];

const SQL: Table = &[
    (
        Control,
        "select from where and or not in values value into insert update delete replace on as if exists key \
         index table references unique primary create alter drop by check using when then else case join over \
         limit distinct union all constraint like between having div mod xor returns",
    ),
    (
        Type,
        "int integer tinyint smallint mediumint bigint float double decimal numeric char varchar nvarchar \
         varchar2 binary varbinary enum text blob timestamp datetime time bit character year",
    ),
    (Introducer, "procedure function"),
    (Binder, "set add column modify change declare"),
    (Constant, "null true false"),
];

/// The words of one language, by a hash of their ends: most words are names, and that must be seen at once.
pub(super) struct Keywords {
    slots: Vec<Option<(&'static [u8], Meaning)>>,
    ignore_case: bool,
}

/// Far more than the words of any language, so that most names meet an empty slot.
const SLOTS: usize = 1 << 11;

/// The slot of a word. In ASCII letters bit 5 is the case, which SQL ignores.
fn slot(first: u8, last: u8, length: usize) -> usize {
    (usize::from(first | 0x20) + usize::from(last | 0x20) * 37 + length * 311) % SLOTS
}

impl Keywords {
    fn new(language: Language) -> Self {
        use Language::{CSharp, Cpp, Go, Java, JavaScript, Lua, Python, Rust, Sql, Tsx, TypeScript};
        let tables: &[Table] = match language {
            Language::C => &[C],
            Cpp => &[CPP, C],
            CSharp => &[C_SHARP],
            Go => &[GO],
            Java => &[JAVA],
            JavaScript | TypeScript | Tsx => &[SCRIPT],
            Lua => &[LUA],
            Python => &[PYTHON],
            Rust => &[RUST],
            Sql => &[SQL],
        };
        let mut slots = vec![None; SLOTS];
        for (meaning, words) in tables.iter().copied().flatten() {
            for word in words.split_whitespace().map(str::as_bytes) {
                let (&first, &last) = (&word[0], &word[word.len() - 1]);
                let mut at = slot(first, last, word.len());
                while slots[at].is_some() {
                    at = (at + 1) % SLOTS;
                }
                slots[at] = Some((word, *meaning));
            }
        }
        Self { slots, ignore_case: language == Sql }
    }

    /// The words of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        static ALL: LazyLock<Vec<(Language, Keywords)>> =
            LazyLock::new(|| Language::ALL.iter().map(|&language| (language, Keywords::new(language))).collect());
        let found = ALL.iter().find(|(known, _)| *known == language);
        &found.expect("the list is made of all languages").1
    }

    /// What a word means.
    pub(super) fn meaning(&self, word: &[u8]) -> Meaning {
        let (Some(&first), Some(&last)) = (word.first(), word.last()) else { return Meaning::Name };
        let mut at = slot(first, last, word.len());
        while let Some((known, meaning)) = self.slots[at] {
            if known == word || (self.ignore_case && known.eq_ignore_ascii_case(word)) {
                return meaning;
            }
            at = (at + 1) % SLOTS;
        }
        Meaning::Name
    }
}
