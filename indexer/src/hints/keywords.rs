//! What a word means to the byte scanner, by language.
//!
//! Only words that matter to it stand here; a word that is a keyword in some dialect but a common name in another
//! (`new`, `class` in C) is a name there.

use pincite_shared::language::Language;

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

/// The longest word that means anything but a name.
const LONGEST: usize = 16;

/// What `word` means.
pub(super) fn meaning(language: Language, word: &[u8]) -> Meaning {
    use Language::*;
    if word.len() > LONGEST || word.len() < 2 {
        return Meaning::Name;
    }
    if language == Sql {
        let mut upper = [0; LONGEST];
        let upper = &mut upper[..word.len()];
        upper.copy_from_slice(word);
        upper.make_ascii_uppercase();
        return sql(upper);
    }
    // Keywords are lower case; names of constants and types, which are not, need no look at the lists.
    if !word[0].is_ascii_lowercase() {
        return match word {
            b"None" | b"True" | b"False" if language == Python => Meaning::Constant,
            b"NULL" => Meaning::Constant,
            b"__attribute__" | b"__declspec" | b"__asm__" => Meaning::Type,
            _ => Meaning::Name,
        };
    }
    match language {
        C => c(word),
        Cpp => cpp(word),
        CSharp => c_sharp(word),
        Go => go(word),
        Java => java(word),
        JavaScript | TypeScript | Tsx => script(word),
        Lua => lua(word),
        Python => python(word),
        Rust => rust(word),
        Sql => Meaning::Name,
    }
}

fn c(word: &[u8]) -> Meaning {
    match word {
        b"if" | b"else" | b"for" | b"while" | b"do" | b"switch" | b"return" | b"goto" | b"sizeof" | b"break"
        | b"continue" | b"typeof" | b"alignof" | b"asm" => Meaning::Control,
        b"case" | b"default" => Meaning::Case,
        b"int" | b"char" | b"void" | b"long" | b"short" | b"float" | b"double" | b"signed" | b"unsigned" | b"const"
        | b"volatile" | b"static" | b"extern" | b"register" | b"inline" | b"typedef" | b"auto" | b"restrict"
        | b"bool" | b"alignas" => Meaning::Type,
        b"struct" | b"union" | b"enum" => Meaning::Container,
        b"true" | b"false" | b"nullptr" => Meaning::Constant,
        _ => Meaning::Name,
    }
}

fn cpp(word: &[u8]) -> Meaning {
    match word {
        b"throw" | b"new" | b"delete" | b"co_return" | b"co_await" | b"co_yield" | b"try" | b"catch" | b"decltype"
        | b"static_assert" | b"static_cast" | b"const_cast" | b"dynamic_cast" | b"reinterpret_cast" | b"operator"
        | b"and" | b"or" | b"not" => Meaning::Control,
        b"constexpr" | b"consteval" | b"constinit" | b"virtual" | b"explicit" | b"friend" | b"mutable"
        | b"noexcept" | b"override" | b"final" | b"typename" | b"template" | b"using" | b"public" | b"private"
        | b"protected" | b"wchar_t" | b"requires" | b"thread_local" => Meaning::Type,
        b"class" | b"namespace" => Meaning::Container,
        b"this" => Meaning::Constant,
        _ => c(word),
    }
}

fn c_sharp(word: &[u8]) -> Meaning {
    match word {
        b"if" | b"else" | b"for" | b"foreach" | b"while" | b"do" | b"switch" | b"return" | b"goto" | b"sizeof"
        | b"break" | b"continue" | b"typeof" | b"nameof" | b"throw" | b"new" | b"try" | b"catch" | b"finally"
        | b"lock" | b"is" | b"as" | b"in" | b"await" | b"using" | b"fixed" | b"checked" | b"unchecked"
        | b"operator" | b"stackalloc" => Meaning::Control,
        b"case" | b"default" => Meaning::Case,
        b"int" | b"uint" | b"long" | b"ulong" | b"short" | b"ushort" | b"byte" | b"sbyte" | b"char" | b"bool"
        | b"string" | b"object" | b"void" | b"float" | b"double" | b"decimal" | b"public" | b"private"
        | b"protected" | b"internal" | b"static" | b"readonly" | b"const" | b"virtual" | b"override" | b"abstract"
        | b"sealed" | b"async" | b"extern" | b"unsafe" | b"ref" | b"out" | b"params" | b"event" | b"delegate"
        | b"partial" | b"where" | b"volatile" => Meaning::Type,
        b"class" | b"struct" | b"interface" | b"enum" | b"namespace" => Meaning::Container,
        b"true" | b"false" | b"null" | b"this" | b"base" => Meaning::Constant,
        _ => Meaning::Name,
    }
}

fn go(word: &[u8]) -> Meaning {
    match word {
        b"if" | b"else" | b"for" | b"switch" | b"select" | b"return" | b"goto" | b"break" | b"continue" | b"range"
        | b"go" | b"defer" | b"fallthrough" => Meaning::Control,
        b"case" | b"default" => Meaning::Case,
        b"chan" | b"map" => Meaning::Type,
        b"struct" | b"interface" => Meaning::Container,
        b"func" => Meaning::Introducer,
        b"const" | b"var" => Meaning::Binder,
        b"true" | b"false" | b"nil" => Meaning::Constant,
        _ => Meaning::Name,
    }
}

fn java(word: &[u8]) -> Meaning {
    match word {
        b"if" | b"else" | b"for" | b"while" | b"do" | b"switch" | b"return" | b"break" | b"continue" | b"throw"
        | b"new" | b"try" | b"catch" | b"finally" | b"instanceof" | b"synchronized" | b"assert" => Meaning::Control,
        b"case" | b"default" => Meaning::Case,
        b"int" | b"long" | b"short" | b"byte" | b"char" | b"boolean" | b"void" | b"float" | b"double" | b"public"
        | b"private" | b"protected" | b"static" | b"final" | b"abstract" | b"native" | b"transient" | b"volatile"
        | b"throws" | b"extends" | b"implements" => Meaning::Type,
        b"class" | b"interface" | b"enum" => Meaning::Container,
        b"true" | b"false" | b"null" | b"this" | b"super" => Meaning::Constant,
        _ => Meaning::Name,
    }
}

fn script(word: &[u8]) -> Meaning {
    match word {
        b"if" | b"else" | b"for" | b"while" | b"do" | b"switch" | b"return" | b"break" | b"continue" | b"throw"
        | b"new" | b"try" | b"catch" | b"finally" | b"instanceof" | b"typeof" | b"in" | b"delete" | b"await"
        | b"yield" | b"with" | b"import" | b"export" => Meaning::Control,
        b"case" | b"default" => Meaning::Case,
        b"extends" | b"implements" | b"void" => Meaning::Type,
        b"class" | b"interface" | b"enum" => Meaning::Container,
        b"function" => Meaning::Introducer,
        b"const" | b"let" | b"var" => Meaning::Binder,
        b"true" | b"false" | b"null" | b"this" | b"super" | b"undefined" => Meaning::Constant,
        _ => Meaning::Name,
    }
}

fn lua(word: &[u8]) -> Meaning {
    match word {
        b"if" | b"then" | b"else" | b"elseif" | b"end" | b"for" | b"while" | b"do" | b"repeat" | b"until"
        | b"return" | b"break" | b"goto" | b"in" | b"and" | b"or" | b"not" => Meaning::Control,
        b"function" => Meaning::Introducer,
        b"local" => Meaning::Binder,
        b"true" | b"false" | b"nil" => Meaning::Constant,
        _ => Meaning::Name,
    }
}

fn python(word: &[u8]) -> Meaning {
    match word {
        b"if" | b"else" | b"elif" | b"for" | b"while" | b"return" | b"break" | b"continue" | b"raise" | b"try"
        | b"except" | b"finally" | b"with" | b"as" | b"in" | b"is" | b"and" | b"or" | b"not" | b"lambda" | b"yield"
        | b"await" | b"assert" | b"del" | b"import" | b"from" | b"pass" | b"global" | b"nonlocal" | b"async" => {
            Meaning::Control
        }
        b"class" => Meaning::Container,
        b"def" => Meaning::Introducer,
        _ => Meaning::Name,
    }
}

fn rust(word: &[u8]) -> Meaning {
    match word {
        b"if" | b"else" | b"for" | b"while" | b"loop" | b"match" | b"return" | b"break" | b"continue" | b"as"
        | b"in" | b"await" | b"async" | b"move" | b"use" => Meaning::Control,
        b"pub" | b"unsafe" | b"extern" | b"where" | b"dyn" | b"mut" | b"ref" | b"type" | b"crate" => Meaning::Type,
        b"struct" | b"enum" | b"union" | b"trait" | b"impl" | b"mod" => Meaning::Container,
        b"fn" => Meaning::Introducer,
        b"const" | b"static" | b"let" => Meaning::Binder,
        b"true" | b"false" | b"self" => Meaning::Constant,
        _ => Meaning::Name,
    }
}

fn sql(word: &[u8]) -> Meaning {
    match word {
        b"SELECT" | b"FROM" | b"WHERE" | b"AND" | b"OR" | b"NOT" | b"IN" | b"VALUES" | b"VALUE" | b"INTO"
        | b"INSERT" | b"UPDATE" | b"DELETE" | b"REPLACE" | b"ON" | b"AS" | b"IF" | b"EXISTS" | b"KEY" | b"INDEX"
        | b"TABLE" | b"REFERENCES" | b"UNIQUE" | b"PRIMARY" | b"CREATE" | b"ALTER" | b"DROP" | b"BY" | b"CHECK"
        | b"USING" | b"WHEN" | b"THEN" | b"ELSE" | b"CASE" | b"JOIN" | b"OVER" | b"LIMIT" | b"DISTINCT" | b"UNION"
        | b"ALL" | b"CONSTRAINT" | b"LIKE" | b"BETWEEN" | b"HAVING" | b"DIV" | b"MOD" | b"XOR" | b"RETURNS" => {
            Meaning::Control
        }
        b"INT" | b"INTEGER" | b"TINYINT" | b"SMALLINT" | b"MEDIUMINT" | b"BIGINT" | b"FLOAT" | b"DOUBLE"
        | b"DECIMAL" | b"NUMERIC" | b"CHAR" | b"VARCHAR" | b"NVARCHAR" | b"VARCHAR2" | b"BINARY" | b"VARBINARY"
        | b"ENUM" | b"TEXT" | b"BLOB" | b"TIMESTAMP" | b"DATETIME" | b"TIME" | b"BIT" | b"CHARACTER" | b"YEAR" => {
            Meaning::Type
        }
        b"PROCEDURE" | b"FUNCTION" => Meaning::Introducer,
        b"SET" | b"ADD" | b"COLUMN" | b"MODIFY" | b"CHANGE" | b"DECLARE" => Meaning::Binder,
        b"NULL" | b"TRUE" | b"FALSE" => Meaning::Constant,
        _ => Meaning::Name,
    }
}
