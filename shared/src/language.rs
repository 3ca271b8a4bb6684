//! Languages, told by file extension, and the extensions that are searched by default (C1-06).

/// A language for which hints are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Language {
    /// C, and `.h` files, which C++ shares.
    C,
    /// C++.
    Cpp,
    /// C#.
    CSharp,
    /// Go.
    Go,
    /// Java.
    Java,
    /// JavaScript, with JSX.
    JavaScript,
    /// Lua.
    Lua,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// SQL, any dialect.
    Sql,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX, which has a grammar of its own.
    Tsx,
}

/// Extension (lower case, no dot) and language: the default of `source_analysis.extensions`.
///
/// `.h` is parsed as C++, whose grammar reads nearly all C headers; C files that are not C++ end in `.c`.
pub const EXTENSIONS: &[(&str, Language)] = &[
    ("c", Language::C),
    ("cc", Language::Cpp),
    ("cjs", Language::JavaScript),
    ("cpp", Language::Cpp),
    ("cs", Language::CSharp),
    ("cts", Language::TypeScript),
    ("cxx", Language::Cpp),
    ("go", Language::Go),
    ("h", Language::Cpp),
    ("hh", Language::Cpp),
    ("hpp", Language::Cpp),
    ("hxx", Language::Cpp),
    ("inc", Language::Cpp),
    ("inl", Language::Cpp),
    ("ipp", Language::Cpp),
    ("java", Language::Java),
    ("js", Language::JavaScript),
    ("jsx", Language::JavaScript),
    ("lua", Language::Lua),
    ("mjs", Language::JavaScript),
    ("mts", Language::TypeScript),
    ("py", Language::Python),
    ("pyi", Language::Python),
    ("rs", Language::Rust),
    ("sql", Language::Sql),
    ("tcc", Language::Cpp),
    ("tpp", Language::Cpp),
    ("ts", Language::TypeScript),
    ("tsx", Language::Tsx),
];

impl Language {
    /// Every language, in the order of their numbers in the index format.
    pub const ALL: [Self; 12] = [
        Self::C,
        Self::Cpp,
        Self::CSharp,
        Self::Go,
        Self::Java,
        Self::JavaScript,
        Self::Lua,
        Self::Python,
        Self::Rust,
        Self::Sql,
        Self::TypeScript,
        Self::Tsx,
    ];

    /// The language of an extension (lower case, without dot).
    pub fn of_extension(extension: &[u8]) -> Option<Self> {
        EXTENSIONS.iter().find(|(known, _)| known.as_bytes() == extension).map(|(_, language)| *language)
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::CSharp => "csharp",
            Self::Go => "go",
            Self::Java => "java",
            Self::JavaScript => "javascript",
            Self::Lua => "lua",
            Self::Python => "python",
            Self::Rust => "rust",
            Self::Sql => "sql",
            Self::TypeScript => "typescript",
            Self::Tsx => "tsx",
        }
    }
}
