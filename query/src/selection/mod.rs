//! `source.context`, protocol 2: anchors from the interpretation, searches, signals, classes, windows.
//!
//! [`anchors`] decides what is looked for, [`scopes`] where, [`chain`] in which order. [`table`] is the whole rule of
//! what a match is worth; [`classes`] applies it to files, [`show`] to what is shown. This file runs them and writes the
//! answer down in its fixed order.

mod anchors;
mod bindings;
mod chain;
mod classes;
mod registrations;
mod scopes;
mod show;
mod spelling;
mod table;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::limits::LimitName;
use pincite_shared::settings::ScopeName;
use pincite_shared::wire::request::Request;
use pincite_shared::wire::result::{Name, WireContextMatch, WirePath};
use pincite_shared::wire::selection::{SelectionResult, WireSelection, WireWeakNumeric};

use crate::completeness::{self, Limits};
use crate::engine::Session;
use crate::source_context::{wire_files, wire_search};
use anchors::{Anchors, Kind, group_id};
use chain::{Chain, Origin};
use classes::Weighed;
use table::Class;

/// The request's members.
pub(crate) struct Asked<'a> {
    pub(crate) text: &'a str,
    pub(crate) path_prefix: &'a str,
    pub(crate) entity_refs: &'a [String],
    pub(crate) scope: ScopeName,
}

pub(crate) fn answer(session: &Session<'_>, request: &Request, asked: &Asked<'_>) -> Result<SelectionResult, Failure> {
    let engine = session.engine;
    let analysis = &engine.settings.source_analysis;
    if !analysis.enabled {
        let message = "source.context is switched off; set `source_analysis.enabled = true` in the profile";
        return Err(Failure::new(Code::Disabled, message).field("source_analysis.enabled"));
    }
    let mut limits = Limits::default();
    let interpretation = engine.interpretation.as_ref();
    let rules = scopes::rules(engine, asked.scope, asked.path_prefix)?;
    let scope = engine.scope(rules.clone())?;
    let anchors = anchors::choose(&analysis.selection, interpretation, asked.text, asked.entity_refs, &mut limits)?;
    let evidence = session.evidence();
    let mut chain =
        Chain { session, rules: &rules, scope: &scope, evidence, groups: &anchors.groups, searches: Vec::new() };
    run(&mut chain, asked.text, &anchors, &mut limits)?;
    let weighed = classes::weigh(&chain.searches, &anchors, &analysis.selection, &engine.snapshot.manifest)?;
    let (mut selected, weak): (Vec<Weighed>, Vec<Weighed>) =
        weighed.into_iter().partition(|file| file.class != Class::WeakNumeric);
    if selected.len() > analysis.max_files as usize {
        limits.reached(LimitName::MaxFiles, u64::from(analysis.max_files), None);
        selected.truncate(analysis.max_files as usize);
    }
    let mut considered = Vec::with_capacity(chain.searches.len());
    for number in 0..chain.searches.len() {
        considered.push(show::consider(&mut chain, number, &selected, &mut limits)?);
    }
    let plan = show::lay_out(&mut chain, &selected, &considered, &mut limits)?;
    let files = wire_files(session, &mut chain.evidence, &plan, &mut limits)?;
    let (weak, weak_numeric) = summaries(&mut chain, weak, &mut limits)?;
    let manifest = &engine.snapshot.manifest;
    let mut matches = Vec::new();
    let mut searches = Vec::new();
    for (search, considered) in chain.searches.iter().zip(&considered) {
        for (row, line) in &considered.matches {
            matches.push(WireContextMatch {
                search: search.id.clone(),
                path: WirePath::new(manifest.path(*row)?),
                line: line.get(),
                context_returned: plan.shows(*row, *line),
            });
        }
        let origin = search.origin.to_wire(manifest)?;
        let (term, found, elsewhere) = (&search.term, &search.found, &search.elsewhere);
        let mut wire = wire_search(&search.id, term, origin, asked.path_prefix, &scope, found, elsewhere);
        wire.scope = Some(asked.scope.name().into());
        searches.push(wire);
    }
    let mut selection = WireSelection { primary_files: Vec::new(), files: Vec::new() };
    for file in selected.iter().chain(&weak) {
        let wire = file.to_wire(&chain.searches, manifest)?;
        if file.class == Class::PrimaryCandidate {
            selection.primary_files.push(wire.path.path.to_string());
        }
        selection.files.push(wire);
    }
    let complete = limits.is_empty() && scope.skipped.is_empty();
    let status = if complete { "complete_configured_source_context" } else { "partial_configured_source_context" };
    let mut warnings = anchors.warnings.clone();
    warnings.extend(completeness::warnings(&scope, asked.path_prefix));
    Ok(SelectionResult {
        head: session.head(request, status, limits, warnings),
        scope: Name::from(asked.scope.name()),
        anchors: anchors.groups.iter().enumerate().map(|(number, group)| group.to_wire(group_id(number))).collect(),
        searches,
        selection,
        files,
        matches,
        weak_numeric,
        notice: completeness::SELECTION_NOTICE.into(),
    })
}

/// Runs the chain of searches; its order is that of `docs/selection.md`.
fn run(chain: &mut Chain<'_>, text: &str, anchors: &Anchors, limits: &mut Limits) -> Result<(), Failure> {
    chain.search(text, Origin::Request, &anchors.asked, limits)?;
    let of_kinds = |kinds: &[Kind]| -> Vec<usize> {
        let fits = |number: &usize| kinds.contains(&anchors.groups[*number].kind);
        (0..anchors.groups.len()).filter(fits).collect()
    };
    let first_spelling = |chain: &mut Chain<'_>, kinds: &[Kind], limits: &mut Limits| -> Result<(), Failure> {
        for number in of_kinds(kinds) {
            let text = anchors.groups[number].text.clone();
            search_group(chain, anchors, number, &text, limits)?;
        }
        Ok(())
    };
    first_spelling(chain, &[Kind::Script], limits)?;
    first_spelling(chain, &[Kind::TypedId], limits)?;
    chain.follow_bindings(limits)?;
    registrations::follow(chain, anchors, limits)?;
    first_spelling(chain, &[Kind::Name], limits)?;
    first_spelling(chain, &[Kind::ContextName, Kind::ContextFact], limits)?;
    let named = of_kinds(&[Kind::Name, Kind::ContextName, Kind::ContextFact]);
    let longest = named.iter().map(|number| anchors.groups[*number].variants.len()).max().unwrap_or_default();
    for turn in 0..longest {
        for number in &named {
            if let Some(variant) = anchors.groups[*number].variants.get(turn) {
                search_group(chain, anchors, *number, variant, limits)?;
            }
        }
    }
    first_spelling(chain, &[Kind::Id], limits)
}

/// Searches one spelling of a group, for all groups whose text it is.
fn search_group(
    chain: &mut Chain<'_>,
    anchors: &Anchors,
    number: usize,
    text: &str,
    limits: &mut Limits,
) -> Result<(), Failure> {
    // Two types may share a number; their groups are weighed together when it is searched.
    let serves = |(other, group): (usize, &anchors::Group)| {
        (other == number || group.text == text).then(|| (other, group.kind.signal()))
    };
    let reasons: Vec<_> = anchors.groups.iter().enumerate().filter_map(serves).collect();
    chain.search(text, Origin::Anchor(number), &reasons, limits)
}

/// Short summaries of weak files by path, and the files that have one.
fn summaries(
    chain: &mut Chain<'_>,
    mut weak: Vec<Weighed>,
    limits: &mut Limits,
) -> Result<(Vec<Weighed>, Vec<WireWeakNumeric>), Failure> {
    let most = chain.session.engine.settings.source_analysis.selection.max_weak_summaries;
    weak.sort_by_key(|file| file.row);
    if weak.len() > most as usize {
        limits.reached(LimitName::MaxWeakSummaries, u64::from(most), None);
        weak.truncate(most as usize);
    }
    let summaries = weak.iter().map(|file| show::summarize(chain, file.row)).collect::<Result<_, _>>()?;
    Ok((weak, summaries))
}
