//! Rows per language: what both ways find, and what only the scanner can.

use std::time::{Duration, Instant};

use pincite_shared::hints::{FunctionKind, HintOrigin, Hints};
use pincite_shared::language::Language;
use proptest::prelude::*;

use super::{NotParsed, SyntaxBounds, SyntaxParser, lexical, merge, syntax};

use Language::*;

const BOUNDS: SyntaxBounds = SyntaxBounds { max_bytes: 1 << 20, max_time: Duration::from_secs(20) };

/// Hints as text: `line name=value`, then `line kind name` with `def`, `decl`, `call`.
fn shown(hints: &Hints) -> Vec<String> {
    let assignments = hints.assignments.iter().map(|hint| format!("{} {}={}", hint.line, hint.name, hint.value));
    let functions = hints.functions.iter().map(|hint| {
        let kind = match hint.kind {
            FunctionKind::Definition => "def",
            FunctionKind::Declaration => "decl",
            FunctionKind::Call => "call",
        };
        format!("{} {kind} {}", hint.line, hint.name)
    });
    assignments.chain(functions).collect()
}

#[track_caller]
fn check_lexical(language: Language, source: &str, expected: &[&str]) {
    assert_eq!(shown(&lexical(language, source.as_bytes())), expected, "scanner, {language:?}: {source}");
}

#[track_caller]
fn check(language: Language, source: &str, expected: &[&str]) {
    check_lexical(language, source, expected);
    let hints = syntax(language, source.as_bytes(), &BOUNDS).expect("small and regular");
    assert_eq!(shown(&hints), expected, "grammar, {language:?}: {source}");
}

// C1-02, C1-11
#[test]
fn c_and_cpp() {
    for language in [C, Cpp] {
        check(language, "enum { SPELL_SEPARATION_ANXIETY = 23487, };", &["1 SPELL_SEPARATION_ANXIETY=23487"]);
        check(language, "enum E\n{\n  A = 1, // one\n  B = -2u\n};", &["3 A=1", "4 B=-2u"]);
        check(language, "#define NPC_X 23487\n", &["1 NPC_X=23487"]);
        check(language, "#define NPC_X (23487) // text\n", &["1 NPC_X=23487"]);
        check(language, "#define NPC_X \\\n 23487\n", &["1 NPC_X=23487"]);
        check(language, "#define A B + 1\n#define C\n", &[]);
        check(language, "int a = 1, b = 0x1F;", &["1 a=1", "1 b=0x1F"]);
        check(language, "int a[2] = x; int *p = NULL;", &["1 a=x", "1 p=NULL"]);
        check(language, "void f() { a.b = 1; p->c = d.e; *q = 2; }", &["1 b=1", "1 c=e", "1 q=2", "1 def f"]);
        check(language, "void f() { a == 1; b += 2; c <= 3; d != 4; e = g + 1; }", &["1 def f"]);
        check(language, "struct s v = { .name = 5, [IDX] = VAL };", &["1 IDX=VAL", "1 name=5"]);
        check(language, "char *s = \"a = 1; // \\\" f()\";", &["1 s=\"a = 1; // \\\" f()\""]);
        check(language, "/* a = 1; f(); */ // b = 2; \\\n c = 3;\nint d = 4;", &["3 d=4"]);
    }
    check(Cpp, "constexpr uint32 NAME = 5;", &["1 NAME=5"]);
    check(Cpp, "auto s = R\"x(a = 1; \" )\" )x\"; int b = Ns::C;", &["1 b=C", "1 s=R\"x(a = 1; \" )\" )x\""]);
    check(Cpp, "struct A { int a = 5; virtual void f() = 0; };", &["1 a=5", "1 decl f"]);
    check(Cpp, "void f(int a = 5);", &["1 a=5", "1 decl f"]);
    check(Cpp, "int n = 1'000;", &["1 n=1'000"]);
}

// C1-02, X-01: registrations are told apart.
#[test]
fn registrations() {
    for language in [C, Cpp] {
        check(language, "void AddSC_boss_garr()\n{\n}\n", &["1 def AddSC_boss_garr"]);
        check(language, "void AddSC_boss_garr();\n", &["1 decl AddSC_boss_garr"]);
        check(
            language,
            "void AddScripts()\n{\n    AddSC_boss_garr();\n}\n",
            &["1 def AddScripts", "3 call AddSC_boss_garr"],
        );
    }
    check(Cpp, "A::A(int x) : b(x), c(f(x)) { }", &["1 def A", "1 call f"]);
}

#[test]
fn functions_of_c_and_cpp() {
    for language in [C, Cpp] {
        check(language, "static int *f(int a, g_t *b) { return h(a, k(b)); }", &["1 def f", "1 call h", "1 call k"]);
        check(language, "int f(void); int g(int);", &["1 decl f", "1 decl g"]);
        check(
            language,
            "void f() { if (a) g(); while (b) { h(1); } return (c); }",
            &["1 def f", "1 call g", "1 call h"],
        );
        check_lexical(language, "#if A(1)\n#endif\nint x = 1;", &["3 x=1"]);
        check(language, "#define F(x) x\n", &["1 def F"]);
    }
    check(Cpp, "bool A::f() const override { return true; }", &["1 def f"]);
    check(Cpp, "class A { A(); ~A(); int f() const; int g() { return 1; } };", &["1 decl A", "1 decl f", "1 def g"]);
    check(Cpp, "auto f() -> int { return g(); }", &["1 def f", "1 call g"]);
    check(
        Cpp,
        "void f() { RegisterScript<A, B<C>>(1); (*a)->h(); if (b < c) g(static_cast<int>(d)); }",
        &["1 call RegisterScript", "1 def f", "1 call g", "1 call h"],
    );
    check(Cpp, "void f() { for (auto a : b) if (!a) X::g(); }", &["1 def f", "1 call g"]);
    // What follows a branch that opens a bracket twice is still read.
    check_lexical(
        Cpp,
        "void f() {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\n}\n}\nvoid g() { }",
        &["1 def f", "9 def g"],
    );
    check_lexical(C, "#define X(a) do { b = 5; g(a); } while (0)\n", &["1 b=5", "1 def X", "1 call g"]);
}

// C1-11
#[test]
fn python() {
    check(Python, "NPC_X = 23487\n", &["1 NPC_X=23487"]);
    check(Python, "NPC_X: int = 23487  # b = 1\n", &["1 NPC_X=23487"]);
    check(Python, "def register_x():\n    y.a = B.C\n", &["2 a=C", "1 def register_x"]);
    check(Python, "f(a=1, b='x')\n", &["1 a=1", "1 b='x'", "1 call f"]);
    check(Python, "def f(a: int = 5, b=None):\n    pass\n", &["1 a=5", "1 b=None", "1 def f"]);
    check(Python, "d = {\"name\": 5, 'other': X,\n  K: 1}\n", &["1 name=5", "1 other=X", "2 K=1"]);
    check(Python, "s = '''a = 1\nf()\n'''\nb = 2\n", &["1 s='''a = 1\nf()\n'''", "4 b=2"]);
    check(Python, "if a: x = 5\n", &["1 x=5"]);
    check(Python, "a, b = 1, 2\n", &[]);
    check(Python, "a = 1 if b else 2\nc == 3\nd += 4\n", &[]);
    check(Python, "class A(B):\n    def f(self):\n        return g(r'\\'')\n", &["2 def f", "3 call g"]);
}

#[test]
fn javascript_and_typescript() {
    for language in [JavaScript, TypeScript, Tsx] {
        check(language, "const NAME = 5;\nlet b = 'x'\nvar c = D.E", &["1 NAME=5", "2 b='x'", "3 c=E"]);
        check(language, "const o = { name: 5, 'other': X };", &["1 name=5", "1 other=X"]);
        check(
            language,
            "function f(a = 1) { return g(`x = ${h(1)} y = 2`); }",
            &["1 a=1", "1 def f", "1 call g", "1 call h"],
        );
        check(language, "const r = /a = '1/; // b = 2\nc = 3;", &["2 c=3"]);
        check(language, "class A { x = 5; f(a) { this.y = 1; } }", &["1 x=5", "1 y=1", "1 def f"]);
        check(language, "x = a ? b : 5; if (a === 1) {}", &[]);
        check(language, "const f = function () { };", &["1 def f"]);
        check(language, "switch (a) { case B: c = 1; }", &["1 c=1"]);
        check(language, "let s = `a = 1`;", &["1 s=`a = 1`"]);
    }
    for language in [TypeScript, Tsx] {
        check(language, "const NAME: number = 5;", &["1 NAME=5"]);
        check(language, "enum E { A = 1, B = 'x' }", &["1 A=1", "1 B='x'"]);
        check(language, "function f(a: string, b: number = 5): void { }", &["1 b=5", "1 def f"]);
        check(language, "interface I { a: string; f(x: number): void; }", &["1 decl f"]);
        check(language, "class A { private readonly x: number = 5; f(): void { } }", &["1 x=5", "1 def f"]);
    }
}

#[test]
fn c_sharp() {
    check(CSharp, "class A { const int NAME = 5; string s = @\"a\"\" = 1;\"; }", &["1 NAME=5", "1 s=@\"a\"\" = 1;\""]);
    check(CSharp, "enum E { A = 1, B = -2 }", &["1 A=1", "1 B=-2"]);
    check(
        CSharp,
        "class A { void F(int a = 5) { G(b: 6); x.y = Z.W; } }",
        &["1 a=5", "1 b=6", "1 y=W", "1 def F", "1 call G"],
    );
    check(CSharp, "class A { int F() => H(); abstract int K(); }", &["1 def F", "1 call H", "1 decl K"]);
    check(CSharp, "class A { string s = \"\"\"\n b = 1; \"f()\"\n\"\"\"; }", &["1 s=\"\"\"\n b = 1; \"f()\"\n\"\"\""]);
    check(CSharp, "class A { void F() { G($\"{x} = \\\" 1\"); } }", &["1 def F", "1 call G"]);
}

#[test]
fn go() {
    check(Go, "package p\nconst NAME = 5\nvar x int = 6\n", &["2 NAME=5", "3 x=6"]);
    check(Go, "package p\nconst (\n\tA T = 1\n\tB = `x = 1`\n)\n", &["3 A=1", "4 B=`x = 1`"]);
    check(
        Go,
        "package p\nfunc f(a int) int {\n\tb := 'x'\n\tc.d = E.F\n\treturn g(b)\n}\n",
        &["3 b='x'", "4 d=F", "2 def f", "5 call g"],
    );
    check(Go, "package p\nfunc (r *T) m(a int) (int, error) { a, b := 1, 2 }\n", &["2 def m"]);
    check(Go, "package p\nvar x = T{Name: 5, Other: y}\n", &["2 Name=5", "2 Other=y"]);
    check(Go, "package p\ntype I interface {\n\tF(a int) error\n}\n", &["3 decl F"]);
}

#[test]
fn java() {
    check(
        Java,
        "class A { static final int NAME = 5; String s = \"\"\"\n b = 1\n\"\"\"; }",
        &["1 NAME=5", "1 s=\"\"\"\n b = 1\n\"\"\""],
    );
    check(
        Java,
        "class A { A(int a) { this.a = a; } void f() throws E { g(h()); } }",
        &["1 a=a", "1 def A", "1 def f", "1 call g", "1 call h"],
    );
    check(Java, "interface I { int f(int a); }", &["1 decl f"]);
    check(Java, "@A(name = \"x\") class B { }", &["1 name=\"x\""]);
}

#[test]
fn lua() {
    check(Lua, "local NPC = 23487\nRegisterX()\n", &["1 NPC=23487", "2 call RegisterX"]);
    check(Lua, "t = { name = 5, [\"other\"] = X }\n", &["1 name=5", "1 other=X"]);
    check(Lua, "function A.b:c(x) x = 1 y = z end", &["1 x=1", "1 y=z", "1 def c"]);
    check(Lua, "-- a = 1\n--[[ b = 2\nf() ]]\nc = [==[d = ]] 3]==]\n", &["4 c=[==[d = ]] 3]==]"]);
    check(Lua, "f = function(a) g(a) end\na, b = 1, 2\nc = d and e\n", &["1 def f", "1 call g"]);
}

#[test]
fn rust() {
    check(Rust, "const NAME: u32 = 5; static S: &str = \"a = 1;\";", &["1 NAME=5", "1 S=\"a = 1;\""]);
    check(
        Rust,
        "fn f<'a, T: X<u8>>(a: &'a T) -> u8 where T: Y { let mut b = 'x'; g(b) }",
        &["1 b='x'", "1 def f", "1 call g"],
    );
    check(
        Rust,
        "/* a /* b = 1; */ c = 2; */ fn f() { let s = r#\"d = \"3\"#; x.y = A::B; }",
        &["1 s=r#\"d = \"3\"#", "1 y=B", "1 def f"],
    );
    check(Rust, "enum E { A = 1 } struct S { a: u8 }", &["1 A=1"]);
    check(Rust, "fn f() { let m: Map<u8, u8> = x; S { a: 5, b } ; }", &["1 a=5", "1 m=x", "1 def f"]);
    check(Rust, "trait T { fn f(&self) -> u8; }", &["1 decl f"]);
}

#[test]
fn sql() {
    check_lexical(Sql, "SET @NAME = 5;\nSET @B := 6, @C = @NAME;", &["1 NAME=5", "2 B=6", "2 C=NAME"]);
    check_lexical(
        Sql,
        "UPDATE t SET `a` = 5, b='it''s' WHERE c = 6 AND t.d = -1;",
        &["1 a=5", "1 b='it''s'", "1 c=6", "1 d=-1"],
    );
    check_lexical(
        Sql,
        "CREATE TABLE `t` (\n `id` int(10) unsigned NOT NULL DEFAULT '0',\n b decimal(1,2) default 5\n);",
        &["2 id='0'", "3 b=5"],
    );
    check_lexical(Sql, "-- a = 1\n# b = 2\n/* c = 3 */ SELECT 'd = 4', `e = 5`;", &[]);
    check_lexical(Sql, "CREATE PROCEDURE p() BEGIN CALL q(1); END", &["1 def p", "1 call q"]);
    check_lexical(Sql, "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y');", &[]);
    assert_eq!(syntax(Sql, b"SET @A = 5;", &BOUNDS), Err(NotParsed::NoGrammar));
}

#[test]
fn bounds_are_kept() {
    let bounds = SyntaxBounds { max_bytes: 3, max_time: Duration::ZERO };
    assert_eq!(syntax(C, b"int a;", &bounds), Err(NotParsed::TooLarge));
    let mut parser = SyntaxParser::new();
    let long = "int a = (1 + 2);\n".repeat(20_000);
    let no_time = SyntaxBounds { max_bytes: 1 << 20, max_time: Duration::ZERO };
    assert_eq!(parser.hints(C, long.as_bytes(), &no_time), Err(NotParsed::TimedOut));
    // The parser begins anew with the next file.
    assert_eq!(shown(&parser.hints(C, b"int b = 2;", &BOUNDS).expect("small")), ["1 b=2"]);
}

#[test]
fn merging_prefers_the_grammar() {
    let source = b"#define X(a) do { b = 5; } while (0)\nvoid f() { c = 6; c = 6; }\n";
    let merged = merge(lexical(Cpp, source), syntax(Cpp, source, &BOUNDS).expect("small"));
    assert_eq!(shown(&merged), ["1 b=5", "2 c=6", "1 def X", "2 def f"]);
    assert_eq!(merged.assignments[0].origin, HintOrigin::Lexical);
    assert_eq!(merged.assignments[1].origin, HintOrigin::Syntax);
    assert!(merged.functions.iter().all(|function| function.origin == HintOrigin::Syntax));
}

/// Long lines and unclosed brackets, strings and comments are real (SQL dumps) or hostile; each is read once.
#[test]
fn takes_linear_time() {
    for unit in [
        "a=1,(((",
        "\"'`",
        "/[",
        "{[(",
        "r####",
        "R\"x(",
        "[==",
        "f(x) ",
        "${`",
        "a:b=",
        "@@$",
        "'''\"\"\"",
        "/*",
        "a.",
        "}])",
    ] {
        let source = unit.repeat((2 << 20) / unit.len());
        for language in Language::ALL {
            let started = Instant::now();
            lexical(language, source.as_bytes());
            assert!(started.elapsed() < Duration::from_secs(10), "{language:?}: {unit}");
        }
    }
}

#[test]
fn deep_trees_do_not_overflow_the_stack() {
    for language in Language::ALL {
        let source = format!("x = {}1;", "(".repeat(50_000));
        let _ = syntax(language, source.as_bytes(), &BOUNDS);
    }
}

fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let pieces = proptest::sample::select(vec![
        "a",
        "B1",
        " ",
        "\n",
        "=",
        ":",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        ";",
        "\"",
        "'",
        "`",
        "\\",
        "/",
        "*",
        "#",
        "#define ",
        "R\"x(",
        ")x\"",
        "r#\"",
        "$",
        "@",
        "${",
        "--",
        "[[",
        "]]",
        "fn ",
        "function ",
        "def ",
        "func ",
        "class ",
        "const ",
        "5",
        ".",
        "->",
        "=>",
        "\u{e9}",
        "<",
        ">",
        "-",
        "DEFAULT ",
        "\r\n",
        "case ",
        "new ",
    ]);
    let text = proptest::collection::vec(pieces, 0..80).prop_map(|pieces| pieces.concat().into_bytes());
    prop_oneof![text, proptest::collection::vec(any::<u8>(), 0..200)]
}

proptest! {
    #[test]
    fn nothing_panics(source in nasty()) {
        let bounds = SyntaxBounds { max_bytes: 1 << 20, max_time: Duration::from_millis(200) };
        let lines = u32::try_from(source.split(|&byte| byte == b'\n').count()).expect("short");
        for language in Language::ALL {
            let mut merged = lexical(language, &source);
            if let Ok(parsed) = syntax(language, &source, &bounds) {
                merged = merge(merged, parsed);
            }
            prop_assert!(merged.assignments.iter().all(|hint| hint.line.get() <= lines));
            prop_assert!(merged.functions.iter().all(|hint| hint.line.get() <= lines));
            prop_assert!(merged.assignments.is_sorted());
        }
    }
}
