//! What a result says, checked member by member against the commit's files.

use std::collections::BTreeSet;

use pincite_shared::git::EntryKind;
use pincite_shared::language::Language;
use pincite_shared::limits::LimitName;
use pincite_shared::path;
use pincite_shared::settings::{Protocol, Settings};
use pincite_shared::skip::{OutsideReason, SkipReason};
use pincite_shared::term::{Matcher, Mode, RequestedMode, Term};
use pincite_shared::wire::request::{Request, SearchMode};
use pincite_shared::wire::result::{
    ContextResult, ListResult, ReadResult, SearchResult, WireBlock, WireContextMatch, WireEntry, WireFile, WireHead,
    WirePath, WireSearch, WireShortened, entry_kind_name,
};

use super::Problems;
use pincite_shared::wire::selection::{SelectionResult, WireSignal};

use super::content::{Contents, path_bytes};
use crate::answer::Answer;
use crate::completeness;
use crate::package::files::is_sha256;
use crate::verification::show_match;

/// Where the checks of one result write and read.
struct Checks<'a, 'p> {
    pointer: &'a str,
    settings: Option<&'a Settings>,
    interpretation: Option<&'a str>,
    contents: &'a mut Contents,
    problems: &'a mut Problems<'p>,
}

pub(super) fn check(
    answer: &Answer,
    pointer: &str,
    settings: Option<&Settings>,
    interpretation: Option<&str>,
    contents: &mut Contents,
    problems: &mut Problems<'_>,
) {
    let mut checks = Checks { pointer, settings, interpretation, contents, problems };
    let request = checks.head(answer.head());
    let notice = match answer {
        Answer::Context(result) => {
            checks.context(result, request.as_ref());
            (&result.notice, completeness::CONTEXT_NOTICE)
        }
        Answer::Selection(result) => {
            checks.selection(result, request.as_ref());
            (&result.notice, completeness::SELECTION_NOTICE)
        }
        Answer::Search(result) => {
            checks.search(result, request.as_ref());
            (&result.notice, completeness::SEARCH_NOTICE)
        }
        Answer::Read(result) => {
            checks.read(result, request.as_ref());
            (&result.notice, completeness::READ_NOTICE)
        }
        Answer::List(result) => {
            checks.list(result, request.as_ref());
            (&result.notice, completeness::LIST_NOTICE)
        }
    };
    if notice.0 != notice.1 {
        checks.add("/notice", "it is not the notice of this kind");
    }
}

impl Checks<'_, '_> {
    fn at(&self, member: &str) -> String {
        format!("{}{member}", self.pointer)
    }

    fn add(&mut self, member: &str, problem: impl Into<String>) {
        self.problems.add(format!("{}{member}", self.pointer), problem);
    }

    fn same<T: PartialEq + std::fmt::Debug>(&mut self, member: &str, is: &T, should: &T) {
        self.problems.same(format!("{}{member}", self.pointer), is, should);
    }

    fn head(&mut self, head: &WireHead) -> Option<Request> {
        let known = Protocol::ALL.into_iter().find(|one| one.number() == head.protocol);
        match (self.settings, known) {
            (Some(settings), _) => {
                self.same("/protocol", &head.protocol, &settings.source_analysis.protocol.number());
            }
            (None, None) => self.add("/protocol", "it is no protocol"),
            (None, Some(_)) => {}
        }
        if !is_sha256(&head.index.id) {
            self.add("/index/id", "it is not the identity of an index");
        }
        if !["syntax", "lexical"].contains(&head.index.hints.as_ref()) {
            self.add("/index/hints", "it is neither `syntax` nor `lexical`");
        }
        let request = match Request::parse(&head.request, known.unwrap_or_default()) {
            Ok(request) => request,
            Err(failure) => {
                self.add("/request", failure.message);
                return None;
            }
        };
        self.same("/kind", &head.kind.as_ref(), &request.kind());
        if request.to_value() != head.request {
            self.add("/request", "it does not have its defaults filled in");
        }
        let mut seen = BTreeSet::new();
        for (limit, at) in head.limits_reached.iter().zip(0..) {
            let member = format!("/limits_reached/{at}");
            if !seen.insert((&limit.limit, limit.configured, &limit.search)) {
                self.add(&member, "the limit stands twice");
            }
            if let Some(settings) = self.settings {
                let configured = configured(settings, &limit.limit, &request);
                match configured {
                    None => self.add(&format!("{member}/limit"), "it is no limit of this kind of request"),
                    Some(value) => self.same(&format!("{member}/configured"), &limit.configured, &value),
                }
            }
        }
        Some(request)
    }

    fn status(&mut self, head: &WireHead, searches: &[WireSearch], kind: &str) {
        let partial = !head.limits_reached.is_empty() || searches.iter().any(|search| !search.skipped.is_empty());
        let should = format!("{}_{kind}", if partial { "partial" } else { "complete" });
        self.same("/status", &head.status.as_ref(), &should.as_str());
    }

    /// Checks the searches and gives their matchers.
    fn searches(&mut self, head: &WireHead, searches: &[WireSearch], prefix: Option<&str>) -> Vec<Option<Matcher>> {
        let mut matchers = Vec::new();
        let known = |id: &str| searches.iter().any(|search| search.id == id);
        for limit in head.limits_reached.iter().filter_map(|limit| limit.search.as_ref()) {
            if !known(limit) {
                self.add("/limits_reached", format!("there is no search {limit}"));
            }
        }
        for (search, at) in searches.iter().zip(0..) {
            let member = |name: &str| format!("/searches/{at}{name}");
            self.same(&member("/id"), &search.id, &format!("s{}", at + 1));
            if let Some(prefix) = prefix {
                self.same(&member("/path_prefix"), &search.path_prefix.as_str(), &prefix);
            }
            let cut = head.limits_reached.iter().any(|limit| {
                limit.limit == LimitName::MaxSearchBytes.name() && limit.search.as_ref() == Some(&search.id)
            });
            self.same(&member("/complete"), &search.complete, &(search.skipped.is_empty() && !cut));
            if search.files > search.matches
                || search.files > search.searched_files
                || (search.files == 0) != (search.matches == 0)
            {
                self.add(&member("/files"), "it does not go with `matches` and `searched_files`");
            }
            for (name, counts) in
                [("/skipped", &search.skipped), ("/outside", &search.outside), ("/elsewhere", &search.elsewhere)]
            {
                if counts.values().any(|count| *count == 0) {
                    self.add(&member(name), "a count of zero stands in it");
                }
            }
            let mode = [Mode::Word, Mode::Literal, Mode::Decimal].into_iter().find(|mode| mode.name() == search.mode);
            let term = mode.map(|mode| Term::new(&search.text, RequestedMode::Exactly(mode)));
            match term {
                Some(Ok(term)) => matchers.push(Some(Matcher::new(&term))),
                _ => {
                    self.add(&member("/mode"), "the text is not searched that way");
                    matchers.push(None);
                }
            }
            let origin = &search.origin;
            match (&origin.path, origin.line, origin.search.as_deref()) {
                (Some(path), Some(line), Some(from)) => {
                    let earlier = searches.iter().take(at).any(|one| one.id == from);
                    if !earlier || origin.kind == "request" {
                        self.add(&member("/origin"), "no earlier search led to it");
                    }
                    let content = self.contents.file(&self.at(&member("/origin")), path, self.problems);
                    let holds = |raw: &[u8]| memchr::memmem::find(raw, search.text.as_bytes()).is_some();
                    if content.is_some_and(|content| !content.line(line).is_some_and(holds)) {
                        self.add(&member("/origin/line"), format!("the line does not hold {:?}", search.text));
                    }
                }
                (None, None, None) if origin.kind == "anchor" && origin.group.is_some() && at > 0 => {}
                (None, None, None) if at == 0 => self.same(&member("/origin/kind"), &origin.kind.as_ref(), &"request"),
                _ => self.add(&member("/origin"), "it does not say where the name was found"),
            }
        }
        matchers
    }

    fn context(&mut self, result: &ContextResult, request: Option<&Request>) {
        self.status(&result.head, &result.searches, "configured_source_context");
        let asked = request.and_then(|request| match request {
            Request::Context { text, path_prefix, .. } => Some((text, path_prefix)),
            _ => None,
        });
        let matchers = self.searches(&result.head, &result.searches, asked.map(|(_, prefix)| prefix.as_str()));
        if let (Some((text, _)), Some(first)) = (asked, result.searches.first()) {
            self.same("/searches/0/text", &first.text, text);
        }
        self.windows(&result.files, &result.matches, &result.searches, &matchers);
        self.totals(&result.head, &result.searches, |id| {
            result.matches.iter().filter(|one| one.search == id).count() as u64
        });
    }

    /// Files with windows, and the matches that they show.
    fn windows(
        &mut self,
        files: &[WireFile],
        matches: &[WireContextMatch],
        searches: &[WireSearch],
        matchers: &[Option<Matcher>],
    ) {
        let mut shown: BTreeSet<(Vec<u8>, u32)> = BTreeSet::new();
        let mut paths = BTreeSet::new();
        for (file, at) in files.iter().zip(0..) {
            let member = format!("/files/{at}");
            if !paths.insert(&file.id.path.path) && file.id.path.path_base64.is_none() {
                self.add(&member, "the file stands twice");
            }
            let Some(content) = self.contents.identity(&self.at(&member), &file.id, self.problems) else { continue };
            let mut last = 0;
            for (block, number) in file.blocks.iter().zip(0..) {
                let member = format!("{member}/blocks/{number}");
                if block.lines.is_empty() || block.start_line == 0 || (last > 0 && block.start_line <= last + 1) {
                    self.add(&format!("{member}/start_line"), "the block overlaps or touches the one before");
                }
                self.block(&member, &content, block);
                last = block.start_line.saturating_add(block.lines.len() as u32).saturating_sub(1);
                let bytes = path_bytes(&file.id.path).unwrap_or_default();
                shown.extend((block.start_line..=last).map(|line| (bytes.clone(), line)));
            }
        }
        let mut before: Option<(usize, Vec<u8>, u32)> = None;
        for (one, at) in matches.iter().zip(0..) {
            let member = format!("/matches/{at}");
            let place = self.matched(&member, (&one.search, &one.path, one.line), searches, matchers);
            let Some((search, path, line)) = place else { continue };
            self.same(
                &format!("{member}/context_returned"),
                &one.context_returned,
                &shown.contains(&(path.clone(), line)),
            );
            self.in_order(&member, &mut before, (search, path, line));
        }
    }

    /// What protocol 2 adds: where anchors are from, classes, and lines that hold nothing but numbers.
    fn selection(&mut self, result: &SelectionResult, request: Option<&Request>) {
        self.status(&result.head, &result.searches, "configured_source_context");
        let (mut prefix, mut text) = (None, None);
        if let Some(Request::Context { text: asked, path_prefix, scope, .. }) = request {
            (prefix, text) = (Some(path_prefix.as_str()), Some(asked));
            self.same("/scope", &result.scope.as_ref(), &scope.unwrap_or_default().name());
        }
        let matchers = self.searches(&result.head, &result.searches, prefix);
        if let (Some(text), Some(first)) = (text, result.searches.first()) {
            self.same("/searches/0/text", &first.text, text);
        }
        for (search, at) in result.searches.iter().zip(0..) {
            self.same(&format!("/searches/{at}/scope"), &search.scope, &Some(result.scope.clone()));
        }
        self.windows(&result.files, &result.matches, &result.searches, &matchers);
        for (anchor, at) in result.anchors.iter().zip(0..) {
            let member = |name: &str| format!("/anchors/{at}{name}");
            self.same(&member("/group"), &anchor.group, &format!("g{}", at + 1));
            let from_interpretation = anchor.source.document == "interpretation";
            let bound = self.interpretation.filter(|_| from_interpretation);
            if self.settings.is_some() {
                self.same(&member("/source/sha256"), &anchor.source.sha256.as_deref(), &bound);
            }
        }
        let groups: BTreeSet<&str> = result.anchors.iter().map(|anchor| anchor.group.as_str()).collect();
        let mut primary = Vec::new();
        for (file, at) in result.selection.files.iter().zip(0..) {
            let member = |name: &str| format!("/selection/files/{at}{name}");
            match file.class.as_ref() {
                "primary_candidate" => primary.push(file.path.path.to_string()),
                "supporting_context" | "supporting_other_location" | "weak_numeric" => {}
                _ => self.add(&member("/class"), "it is no class"),
            }
            let known = |signal: &WireSignal| {
                groups.contains(signal.group.as_str()) && result.searches.iter().any(|one| one.id == signal.search)
            };
            if file.signals.is_empty() || !file.signals.iter().all(known) {
                self.add(&member("/signals"), "a signal names no anchor group or no search of the answer");
            }
            self.contents.file(&self.at(&member("")), &file.path, self.problems);
        }
        self.same("/selection/primary_files", &result.selection.primary_files, &primary);
        for (weak, at) in result.weak_numeric.iter().zip(0..) {
            let member = format!("/weak_numeric/{at}");
            let Some(content) = self.contents.file(&self.at(&member), &weak.path, self.problems) else { continue };
            let is_hit = |line: &u32| {
                let raw = content.line(*line);
                raw.is_some_and(|raw| matchers.iter().flatten().any(|matcher| matcher.is_match(raw)))
            };
            if !weak.lines.is_sorted_by(|a, b| a < b) || !weak.lines.iter().all(is_hit) {
                self.add(&format!("{member}/lines"), "they are not lines that hold a term of the answer");
            }
            if (weak.lines.len() as u64) > weak.count {
                self.add(&format!("{member}/count"), "more lines are listed");
            }
        }
    }

    fn block(&mut self, member: &str, content: &super::content::Content, block: &WireBlock) {
        for (text, number) in block.lines.iter().zip(block.start_line..) {
            let at = self.at(&format!("{member}/lines/{}", number - block.start_line));
            let claims = (chars_of(&block.shortened, number), block.lossy_lines.contains(&number));
            self.contents.line(&at, content, number, text, claims, self.problems);
        }
        self.lists(member, &block.shortened, &block.lossy_lines, block.start_line, block.lines.len());
    }

    /// Line numbers in lists beside lines name lines that are there, each once, ascending.
    fn lists(&mut self, member: &str, shortened: &[WireShortened], lossy: &[u32], start: u32, count: usize) {
        let shown = |line: &u32| *line >= start && ((line - start) as usize) < count;
        let ascending = |lines: &[u32]| lines.is_sorted_by(|a, b| a < b) && lines.iter().all(shown);
        let numbers: Vec<u32> = shortened.iter().map(|one| one.line).collect();
        if !ascending(&numbers) {
            self.add(&format!("{member}/shortened"), "it names lines that are not shown");
        }
        if !ascending(lossy) {
            self.add(&format!("{member}/lossy_lines"), "it names lines that are not shown");
        }
    }

    /// Checks that a listed match is one.
    fn matched(
        &mut self,
        member: &str,
        (search, path, line): (&str, &WirePath, u32),
        searches: &[WireSearch],
        matchers: &[Option<Matcher>],
    ) -> Option<(usize, Vec<u8>, u32)> {
        let Some(number) = searches.iter().position(|one| one.id == search) else {
            self.add(&format!("{member}/search"), format!("there is no search {search}"));
            return None;
        };
        let content = self.contents.file(&self.at(member), path, self.problems)?;
        let matcher = matchers.get(number)?.as_ref()?;
        if !content.line(line).is_some_and(|raw| matcher.is_match(raw)) {
            self.add(&format!("{member}/line"), format!("the line does not hold {:?}", searches[number].text));
        }
        let bytes = path_bytes(path).ok()?;
        if !bytes.starts_with(searches[number].path_prefix.as_bytes()) {
            self.add(&format!("{member}/path"), "the path does not begin with the prefix");
        }
        Some((number, bytes, line))
    }

    fn in_order(&mut self, member: &str, before: &mut Option<(usize, Vec<u8>, u32)>, place: (usize, Vec<u8>, u32)) {
        if before.as_ref().is_some_and(|before| *before >= place) {
            self.add(member, "matches are not in the order of search, path and line, each once");
        }
        *before = Some(place);
    }

    /// As many matches are listed as the limits allow, and totals are no less.
    fn totals(&mut self, head: &WireHead, searches: &[WireSearch], listed: impl Fn(&str) -> u64) {
        for (search, at) in searches.iter().zip(0..) {
            let is_cut = head
                .limits_reached
                .iter()
                .any(|limit| limit.limit == LimitName::MaxMatches.name() && limit.search.as_ref() == Some(&search.id));
            let listed = listed(&search.id);
            if listed > search.matches || (listed < search.matches) != is_cut {
                let problem = format!("{listed} matches are listed, which does not go with the total and the limits");
                self.add(&format!("/searches/{at}/matches"), problem);
            }
        }
    }

    fn search(&mut self, result: &SearchResult, request: Option<&Request>) {
        self.status(&result.head, &result.searches, "source_search");
        let prefix = match request {
            Some(Request::Search { path_prefix, text, mode, .. }) => {
                if let [only] = result.searches.as_slice() {
                    self.same("/searches/0/text", &only.text, text);
                    if *mode != SearchMode::Auto {
                        self.same("/searches/0/mode", &only.mode.as_ref(), &mode.name());
                    }
                } else {
                    self.add("/searches", "it is not one search");
                }
                Some(path_prefix.as_str())
            }
            _ => None,
        };
        let matchers = self.searches(&result.head, &result.searches, prefix);
        let mut before = None;
        for (one, at) in result.matches.iter().zip(0..) {
            let member = format!("/matches/{at}");
            let place = self.matched(&member, (&one.search, &one.path, one.line), &result.searches, &matchers);
            let Some((search, path, line)) = place else { continue };
            let content = self.contents.file(&self.at(&member), &one.path, self.problems);
            if let (Some(content), Some(Some(matcher)), Some(settings)) = (content, matchers.get(search), self.settings)
                && let Some(raw) = content.line(line)
            {
                self.contents.lines += 1;
                let real = show_match(raw, &matcher.find_all(raw), settings.limits.max_line_chars as usize);
                self.same(&format!("{member}/text"), &one.text, &real.text);
                self.same(&format!("{member}/columns"), &one.columns, &real.columns);
                self.same(&format!("{member}/suffix"), &one.suffix, &real.suffix);
                self.same(&format!("{member}/chars"), &one.chars, &real.shortened);
                self.same(&format!("{member}/lossy"), &one.lossy, &real.lossy);
            }
            self.in_order(&member, &mut before, (search, path, line));
        }
        self.totals(&result.head, &result.searches, |_| result.matches.len() as u64);
    }

    fn read(&mut self, result: &ReadResult, request: Option<&Request>) {
        self.status(&result.head, &[], "source_read");
        let content = self.contents.identity(&self.at(""), &result.id, self.problems);
        let Some(Request::Read { path, start_line, end_line }) = request else { return };
        if path_bytes(&result.id.path).ok().as_deref() != Some(path) {
            self.add("/path", "it is not the path of the request");
        }
        self.same("/start_line", &result.start_line, start_line);
        let Some(content) = content else { return };
        for (text, number) in result.lines.iter().zip(result.start_line..) {
            let at = self.at(&format!("/lines/{}", number - result.start_line));
            let claims = (chars_of(&result.shortened, number), result.lossy_lines.contains(&number));
            self.contents.line(&at, &content, number, text, claims, self.problems);
        }
        self.lists("", &result.shortened, &result.lossy_lines, result.start_line, result.lines.len());
        let numbers: Vec<u32> = result.shortened.iter().map(|one| one.line).collect();
        self.same("/text_truncated", &result.text_truncated, &numbers);
        let count = result.lines.len() as u64;
        let total = content.lines.len() as u64;
        let (start, end) = (u64::from(*start_line), u64::from(*end_line));
        let returned_end = (count > 0).then(|| result.start_line.saturating_add(count as u32 - 1));
        self.same("/end_line", &result.end_line, &returned_end);
        let last = returned_end.map_or(start, u64::from);
        self.same("/eof", &result.eof, &(last >= total));
        let missing = end.min(total).saturating_sub(last.max(start - 1)) > 0 && last < end;
        self.same("/truncated", &result.truncated, &(missing && count > 0));
        let asked = end - start + 1;
        let Some(settings) = self.settings else { return };
        let max = u64::from(settings.limits.max_lines);
        let should = asked.min(max).min(total.saturating_sub(start - 1));
        if count != should {
            self.add("/lines", format!("{count} lines are returned, should be {should}"));
        }
        match &result.limit {
            None if asked > max => {
                self.add("/requested_line_count", "it is missing; more lines were asked for than allowed")
            }
            Some(_) if asked <= max => self.add("/requested_line_count", "it stands although the limit was kept"),
            None => {}
            Some(limit) => {
                let truncated = result.truncated;
                self.same("/requested_line_count", &limit.requested_line_count, &asked);
                self.same("/line_limit", &limit.line_limit, &max);
                self.same("/line_limit_exceeded", &limit.line_limit_exceeded, &true);
                self.same("/returned_line_count", &limit.returned_line_count, &count);
                self.same("/requested_start_line", &limit.requested_start_line, start_line);
                self.same("/requested_end_line", &limit.requested_end_line, end_line);
                self.same("/returned_start_line", &limit.returned_start_line, &(count > 0).then_some(*start_line));
                self.same("/returned_end_line", &limit.returned_end_line, &returned_end);
                self.same("/requested_range_complete", &limit.requested_range_complete, &!truncated);
                let next = truncated.then(|| returned_end.map_or(*start_line, |end| end + 1));
                self.same("/next_start_line", &limit.next_start_line, &next);
                let should = crate::source_read::read_notice(asked, settings.limits.max_lines, next, *end_line);
                self.same("/read_notice", &limit.read_notice, &should);
            }
        }
    }

    fn list(&mut self, result: &ListResult, request: Option<&Request>) {
        self.same("/status", &result.head.status.as_ref(), &"complete_source_list");
        let Some(Request::List { path_prefix, after }) = request else { return };
        let mut before: Option<Vec<u8>> = after.clone();
        for (entry, at) in result.entries.iter().zip(0..) {
            let member = |name: &str| format!("/entries/{at}{name}");
            let path = match path_bytes(&entry.path) {
                Ok(path) => path,
                Err(problem) => {
                    self.add(&member("/path"), problem);
                    continue;
                }
            };
            if !path.starts_with(path_prefix.as_bytes()) || before.as_ref().is_some_and(|before| *before >= path) {
                self.add(&member("/path"), "it is outside the prefix or not in byte order");
            }
            match self.contents.entry(&path) {
                Ok(Some((kind, blob))) => {
                    self.same(&member("/kind"), &entry.kind.as_ref(), &entry_kind_name(kind));
                    let is_file = matches!(kind, EntryKind::File | EntryKind::Executable);
                    if let (Some(real), Some(said)) = (self.contents.blob_size(blob).filter(|_| is_file), entry.bytes) {
                        self.same(&member("/bytes"), &said, &real);
                    }
                    let language = Language::of_extension(&path::extension(&path)).filter(|_| is_file);
                    self.same(&member("/language"), &entry.language.as_deref(), &language.map(Language::name));
                }
                Ok(None) => self.add(&member("/path"), "the commit has no such entry"),
                Err(problem) => self.add(&member("/path"), problem),
            }
            self.reason(&member(""), entry, &path);
            let reasons = usize::from(entry.skipped.is_some()) + usize::from(entry.outside.is_some());
            self.same(&member("/searchable"), &entry.searchable, &(reasons == 0));
            before = Some(path);
        }
        let listed = result.entries.len() as u64;
        if listed > result.total {
            self.add("/total", "more entries are listed");
        }
        if after.is_none() && result.next_after.is_none() && listed != result.total {
            self.add("/entries", format!("{listed} entries are listed of {}, and no page follows", result.total));
        }
        if let Some(next) = result.next_after_bytes()
            && Some(&next) != before.as_ref()
        {
            self.add("/next_after", "it is not the last path of the page");
        }
    }
}

impl Checks<'_, '_> {
    /// Why an entry of a list is left out follows from its kind, and for files from the settings.
    fn reason(&mut self, member: &str, entry: &WireEntry, path: &[u8]) {
        let should = match entry.kind.as_ref() {
            "symlink" => Some(OutsideReason::Symlinks),
            "submodule" => Some(OutsideReason::Submodules),
            _ => {
                let Some(settings) = self.settings else { return };
                let (extensions, own) = (&settings.source_analysis.extensions, path::extension(path));
                let wanted = extensions.is_empty() || extensions.iter().any(|one| one.as_bytes() == own);
                (!wanted).then_some(OutsideReason::Extensions)
            }
        };
        self.same(&format!("{member}/outside"), &entry.outside.as_deref(), &should.map(OutsideReason::name));
        let known = |reason: &str| SkipReason::ALL.iter().any(|one| one.name() == reason);
        if entry.skipped.as_deref().is_some_and(|reason| !known(reason)) {
            self.add(&format!("{member}/skipped"), "it is no reason for not searching");
        }
    }
}

fn chars_of(shortened: &[WireShortened], line: u32) -> Option<u64> {
    shortened.iter().find(|one| one.line == line).map(|one| one.chars)
}

/// The configured value of a limit as an answer reports it.
fn configured(settings: &Settings, name: &str, request: &Request) -> Option<u64> {
    let (limits, analysis) = (&settings.limits, &settings.source_analysis);
    let asked = match request {
        Request::Search { max_matches: Some(asked), .. } => u64::from(*asked),
        _ => u64::from(analysis.max_matches),
    };
    Some(match name {
        "max_matches" => asked,
        "max_searches" => u64::from(analysis.max_searches),
        "max_search_bytes" => limits.max_search_bytes,
        "max_files" => u64::from(analysis.max_files),
        "max_blocks" => u64::from(analysis.max_blocks),
        "max_total_lines" => u64::from(analysis.max_total_lines),
        "max_anchors" => u64::from(analysis.selection.max_anchors),
        "max_candidates" => u64::from(analysis.selection.max_candidates),
        "max_weak_summaries" => u64::from(analysis.selection.max_weak_summaries),
        "max_lines" => u64::from(limits.max_lines),
        "max_line_chars" => u64::from(limits.max_line_chars),
        _ => return None,
    })
}
