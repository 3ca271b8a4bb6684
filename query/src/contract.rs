//! The tool contract: what a model is told, and JSON Schemas of all that goes in and out.
//!
//! It depends on the settings alone, so it is byte-stable for a context and prompt caches hold. Nothing in it names a
//! repository, a machine or a time.

use pincite_shared::settings::{Protocol, Settings};
use pincite_shared::wire::query::MAX_QUERIES;
use pincite_shared::wire::request::Request;
use pincite_shared::wire::schema;
use serde_json::{Map, Value, json};

/// The version of the contract's own form.
pub const CONTRACT_VERSION: u32 = 1;

/// The contract as JSON: `contract`, `protocol`, `text`, and the schemas `query`, `requests`, `results`, `error`.
pub fn contract(settings: &Settings) -> Value {
    let protocol = settings.source_analysis.protocol;
    let by_kind = |schema: &dyn Fn(&str) -> Option<Value>| -> Map<String, Value> {
        Request::KINDS.iter().filter_map(|kind| Some(((*kind).to_owned(), schema(kind)?))).collect()
    };
    json!({
        "contract": CONTRACT_VERSION,
        "protocol": protocol.number(),
        "text": contract_text(settings),
        "query": schema::query_schema(protocol),
        "requests": by_kind(&|kind| schema::request_schema(kind, protocol)),
        "results": by_kind(&|kind| schema::result_schema(kind, protocol)),
        "error": schema::error_schema(),
    })
}

/// The contract for a model, in words.
pub fn contract_text(settings: &Settings) -> String {
    let (limits, analysis) = (&settings.limits, &settings.source_analysis);
    let extensions = match analysis.extensions.as_slice() {
        [] => "every text file".to_owned(),
        some => format!("files ending in .{}", some.join(", .")),
    };
    let registrations = match analysis.registration_prefixes.as_slice() {
        [] => "Registrations are not followed: no prefix is configured.".to_owned(),
        some => format!(
            "Registrations are functions whose names begin with {}, in files that the term or a bound name was found in.",
            some.iter().map(|prefix| format!("`{prefix}`")).collect::<Vec<_>>().join(", ")
        ),
    };
    let context = if analysis.enabled && analysis.protocol == Protocol::Two {
        let scopes = analysis.selection.scopes.keys().map(|name| format!("`{}`", name.name()));
        format!(
            "**Begin with `source.context`.** It searches a name, string or number and what the interpretation context \
             proves about it (script names, numbers of entities, names and their spellings), follows typed constants and \
             registrations, weighs files by what found them, and returns merged windows of code: one action instead of \
             many searches and reads. The basic tools stay open for what it leaves out.\n\n\
             - `{{\"kind\":\"source.context\",\"text\":T,\"path_prefix\":P,\"entity_refs\":[E],\"scope\":S}}`: E are ids of \
             entities of the interpretation context; without them unique numbers and names are assigned, and a number \
             that several types share is assigned to none. S is one of {}; `code` is the default, and `historical_sql` is \
             looked into only when you ask for it. Digits are searched as a whole decimal number. {registrations} At most \
             {} searches, {} matches considered each, {} files, {} windows of {} lines before and behind a match, {} lines \
             in all.\n\
             - Files are `primary_candidate`, `supporting_context`, `supporting_other_location` or `weak_numeric`. A \
             number alone is weak: it is listed in `weak_numeric` without code. `selection.primary_files` may be empty, \
             and nothing takes its place then. A class says how relevant a file is to the search, never how likely it is \
             a cause.\n",
            scopes.collect::<Vec<_>>().join(", "),
            analysis.max_searches,
            analysis.max_matches,
            analysis.max_files,
            analysis.max_blocks,
            analysis.context_lines,
            analysis.max_total_lines
        )
    } else if analysis.enabled {
        format!(
            "**Begin with `source.context`.** It searches a name, string or number, follows what it is bound to and \
             registered in, and returns merged windows of code: one action instead of many searches and reads. The \
             basic tools stay open for what it leaves out.\n\n\
             - `{{\"kind\":\"source.context\",\"text\":T,\"path_prefix\":P}}`: an identifier is searched as a whole \
             word, anything else (also a number) as a fixed, case-sensitive string within one line. Names left of a \
             simple assignment of T are searched too. {registrations} At most {} searches, {} matches considered \
             each, {} files, {} windows of {} lines before and behind a match, {} lines in all.\n",
            analysis.max_searches,
            analysis.max_matches,
            analysis.max_files,
            analysis.max_blocks,
            analysis.context_lines,
            analysis.max_total_lines
        )
    } else {
        "`source.context` is switched off.\n\n".to_owned()
    };
    format!(
        "# project.query: source code of one pinned commit\n\n\
         You ask about one commit that the operator fixed. Nothing you send can choose another commit, repository, \
         branch or limit; nothing is built, run or changed. Each line you get was cut from a Git blob whose hash was \
         checked.\n\n\
         {context}\
         - `{{\"kind\":\"source.search\",\"text\":T,\"mode\":M,\"path_prefix\":P,\"max_matches\":N}}`: every line that \
         holds T, with exact totals; up to {} are listed. M is `word`, `literal`, `decimal` (a whole decimal number) \
         or `auto`.\n\
         - `{{\"kind\":\"source.read\",\"path\":F,\"start_line\":A,\"end_line\":B}}`: lines of one file, both ends \
         included, at most {} at once; go on at `next_start_line` with the same `end_line`.\n\
         - `{{\"kind\":\"source.list\",\"path_prefix\":P,\"after\":L}}`: paths and whether each is searched.\n\
         - `{{\"queries\":[…]}}` bundles up to {MAX_QUERIES} of these; results come in the same order, and an error in \
         one does not spoil the others.\n\n\
         `path_prefix` and `mode` may be left out. A prefix is compared byte by byte with paths from the repository's \
         root: `src/` does not cover `src2/`. Searches look into {extensions}. Unknown members are refused.\n\n\
         ## What an answer claims\n\n\
         - `complete: true` on a search: every line in its scope that holds the term is counted. An empty answer then \
         means that the text is not there, in this scope and spelling. `skipped` counts files that could not be \
         searched and why; `outside` counts files that the scope leaves out; `elsewhere` counts lines where the term \
         occurs although this search does not count them.\n\
         - `limits_reached` names each limit that cut something; a status that begins with `partial_` says the same. \
         Totals stay exact.\n\
         - It is text search and lexical hints: no call graph, no types, no execution, no cause. Equal numbers may name \
         different things. A registration is a candidate: judge it by the code. What is not found excludes neither \
         other notations, generated code, database control, other file types nor dynamic paths.\n\n\
         ## Budget and errors\n\n\
         Each answered request is one action of the budget, if there is one; asking the same again costs nothing and \
         gives the same answer; an error costs nothing. Errors are `{{\"error\":{{\"code\",\"message\",\"field\"}}}}`: \
         correct the named field. `budget_exhausted` means that no action is left: answer from what you have.\n",
        analysis.max_matches, limits.max_lines,
    )
}
