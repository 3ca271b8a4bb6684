//! Examples that stand below the flags in `--help` and in the manual. Tests run each of them.

pub(crate) const PINCITE: &str = "\
Examples:
  pincite index                      index HEAD of the repository around the current directory
  pincite search MAX_WORD_BYTES      every line that holds the word
  pincite context 23487              the lines, the names they lead to, and the code around them
  pincite init                       write a profile that fits the repository

Exit status: 0 for an answer, also an empty one; 1 for a controlled error; 2 for wrong usage.";

pub(crate) const INDEX: &str = "\
Examples:
  pincite index                                 HEAD, or the profile's commit
  pincite index --rev v1.0 --threads 2          another commit into the same index
  pincite index --hints lexical --format json   searchable at once, tree-sitter later";

pub(crate) const SEARCH: &str = "\
On a terminal matches are grouped by file; elsewhere each is PATH:LINE:TEXT. What was searched, \
skipped and cut goes to standard error.

Examples:
  pincite search MAX_WORD_BYTES                       an identifier, as a whole word
  pincite search 'return 0;' --path-prefix src/       a fixed string below src/
  pincite search 23487 --mode decimal                 23487 and 23487u, not 123487
  pincite search --color always MAX_WORD_BYTES | less -R
  pincite search 23487 --hyperlink github:cmangos/mangos-wotlk";

pub(crate) const CONTEXT: &str = "\
Assignments and registrations are followed: a profile's `registration_prefixes` tells which function \
names are registrations (`pincite init` proposes some).

Examples:
  pincite context 23487
  pincite context MAX_WORD_BYTES --path-prefix src/
  pincite context 23487 --format json >answer.json";

pub(crate) const READ: &str = "\
Examples:
  pincite read src/main.c 1-40
  pincite read src/main.c 7 --format json";

pub(crate) const LIST: &str = "\
Examples:
  pincite list              every path of the commit
  pincite list src/         the paths below src/";

pub(crate) const QUERY: &str = "\
A request is what `context`, `search`, `read` and `list` make of their arguments; a bundle is \
{\"queries\": [...]} of at most 16. With --package each answer is captured, the same question is \
answered from its capture, and each new answer costs one action of the budget.

Examples:
  pincite query - <<<'{\"kind\":\"source.context\",\"text\":\"23487\"}'
  pincite query --format prompt <<<'{\"queries\":[{\"kind\":\"source.list\"}]}'";

pub(crate) const CASE: &str = "\
Examples:
  pincite case new --package case1 --budget 20
  pincite query --package case1 <<<'{\"kind\":\"source.context\",\"text\":\"23487\"}'
  pincite case export --package case1 --out copy1 --objects";

pub(crate) const MCP: &str = "\
The agent starts it; it ends when the agent closes its standard input. Standard output carries the \
protocol and nothing else. No tool argument changes the commit, the limits or the settings.

Examples:
  pincite mcp </dev/null
  pincite mcp --commit $(git rev-parse HEAD) </dev/null";

pub(crate) const SERVE: &str = "\
Paths: /mcp (Model Context Protocol, streamable HTTP), POST /query (a project.query request as JSON), \
/healthz, /metrics. Any address but loopback needs a token. SIGTERM ends it after the requests at hand.

Examples:
  pincite serve --listen 127.0.0.1:0 & sleep 1; kill $!; wait $!";

pub(crate) const VERIFY: &str = "\
Every hash, path, blob, line, line number and match is looked up again in the Git objects. Exit status 1 \
when something does not hold. A package with objects.git needs no repository.

Examples:
  pincite case new --package case2
  pincite verify case2
  pincite verify --package case2 --recount          count all totals again by a scan
  pincite verify --package case2 --answer-again     answer all requests again from the index";

pub(crate) const CONTRACT: &str = "\
It follows from the settings alone, so it is the same for every commit.

Examples:
  pincite contract
  pincite contract --format json >contract.json";

pub(crate) const BENCH: &str = "\
Terms are drawn from the commit's own files. Latencies are of whole answers in one process: cold is the \
first one with a newly opened index, warm the median of three more. Exit status 1 when a checked answer \
does not hold.

Examples:
  pincite bench --terms 10 --check 2
  pincite bench --terms 5 --build --format json";

pub(crate) const STATUS: &str = "\
Examples:
  pincite status
  pincite status --check        read everything back and re-hash it
  pincite status --skipped      every path that is not searched, and why";

pub(crate) const PRUNE: &str = "\
Examples:
  pincite prune --keep 30";

pub(crate) const INIT: &str = "\
The profile pins the commit, and holds in comments what was found: languages, folders, and prefixes of \
function names that look like registrations, each with its count. Nothing of that is switched on until \
you remove a `#`.

Examples:
  pincite init
  pincite init --rev v1.0 --out release.toml";

pub(crate) const REPORT: &str = "\
The page needs no network and no script; open it in any browser, print it, or send it. It shows what \
the capture says; `pincite verify` is what checks a capture against the Git objects.

Examples:
  pincite context 23487 --format json | pincite report - --out answer.html
  pincite report answer.json --out report.html";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  pincite completions bash >pincite.bash      then: source pincite.bash
  pincite completions zsh >_pincite           into a folder of $fpath
  pincite completions fish >pincite.fish      into ~/.config/fish/completions";

pub(crate) const MAN: &str = "\
Examples:
  pincite man >pincite.1                   then: man ./pincite.1
  pincite man search >pincite-search.1
  pincite man case new >pincite-case-new.1";
