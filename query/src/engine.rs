//! The engine: one repository, one snapshot, one set of settings; answers requests one at a time or in parallel.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pincite_shared::deadline::Deadline;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::Repository;
use pincite_shared::ids::{Oid, Pin};
use pincite_shared::index_format::IndexError;
use pincite_shared::path;
use pincite_shared::settings::{Protocol, Settings};
use pincite_shared::wire::interpretation::Interpretation;
use pincite_shared::wire::request::Request;
use pincite_shared::wire::result::{WireHead, WireIndex, WirePin};

use crate::answer::Answer;
use crate::completeness::Limits;
use crate::failure::timed_out;
use crate::index::Snapshot;
use crate::scope::{Scope, ScopeRules};
use crate::search::{Expansions, Ground};
use crate::verification::Evidence;
use crate::work::Work;
use crate::{selection, source_context, source_list, source_read, source_search};

/// Scopes kept for the next request with the same prefix.
const KEPT_SCOPES: usize = 32;

/// Answers requests about one commit.
pub struct Engine {
    pub(crate) repository: Repository,
    pub(crate) snapshot: Snapshot,
    pub(crate) settings: Settings,
    pub(crate) interpretation: Option<Interpretation>,
    scopes: Mutex<HashMap<ScopeRules, Arc<Scope>>>,
}

/// What every request is answered with.
pub(crate) struct Session<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) pin: Pin,
    pub(crate) deadline: Deadline,
    pub(crate) work: Work,
    pub(crate) expansions: Expansions,
}

impl Engine {
    /// Opens the index in `directory` for a commit; without one, for the commit indexed last.
    ///
    /// # Errors
    /// `index_missing`, `index_corrupt`; `settings_mismatch` when the index belongs to another repository.
    pub fn open(
        repository: Repository,
        directory: &Path,
        commit: Option<Oid>,
        settings: Settings,
    ) -> Result<Self, Failure> {
        let snapshot = match Snapshot::open(directory, commit) {
            Err(error @ IndexError::CommitNotIndexed { .. }) => {
                let generation = pincite_shared::index_format::generation::Generation::load(directory)?;
                if generation.is_foreign(|commit| repository.has_object(commit)) {
                    let recorded = generation.git_dir.into();
                    return Err(IndexError::OtherRepository { directory: directory.into(), recorded }.into());
                }
                return Err(error.into());
            }
            other => other?,
        };
        let pinned = snapshot.manifest.pin().commit;
        if !repository.has_object(pinned) {
            if !snapshot.generation.is_foreign(|commit| repository.has_object(commit)) {
                let message = format!("commit {pinned} is in the index and no longer in this clone; fetch it");
                return Err(Failure::new(Code::ObjectMissing, message).field("commit"));
            }
            let recorded = snapshot.generation.git_dir.clone().into();
            return Err(IndexError::OtherRepository { directory: directory.into(), recorded }.into());
        }
        Ok(Self { repository, snapshot, settings, interpretation: None, scopes: Mutex::default() })
    }

    /// The same engine with an interpretation, which only protocol 2 reads. Without one there are no entities.
    #[must_use]
    pub fn with_interpretation(mut self, interpretation: Interpretation) -> Self {
        self.interpretation = Some(interpretation);
        self
    }

    /// The same engine with room for so many bytes of re-hashed objects that later answers need not read again.
    #[must_use]
    pub fn keeping(mut self, bytes: u64) -> Self {
        self.repository = self.repository.keeping(bytes);
        self
    }

    /// The interpretation that anchors come from.
    pub fn interpretation(&self) -> Option<&Interpretation> {
        self.interpretation.as_ref()
    }

    /// The index that answers.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The settings that every request is answered under.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The commit and tree that are answered from.
    pub fn pin(&self) -> Pin {
        self.snapshot.manifest.pin()
    }

    /// The index directory.
    pub fn index_directory(&self) -> &Path {
        &self.snapshot.directory
    }

    /// The number of the index generation that answers.
    pub fn generation_number(&self) -> u64 {
        self.snapshot.generation.number
    }

    /// The repository that evidence is cut from.
    pub fn repository(&self) -> &Repository {
        &self.repository
    }

    /// When requests that begin now have to end (`timeout_ms`).
    pub fn deadline(&self) -> Deadline {
        let limit = self.settings.limits.timeout_ms;
        Deadline::after((limit > 0).then(|| Duration::from_millis(limit)))
    }

    /// Answers one request.
    ///
    /// # Errors
    /// See `docs/protocol.md`; a defect that would panic is reported as `internal`.
    pub fn answer(&self, request: &Request) -> Result<Answer, Failure> {
        self.answer_within(request, self.deadline())
    }

    /// Answers one request by a deadline that it may share with others.
    ///
    /// # Errors
    /// As [`Engine::answer`].
    pub fn answer_within(&self, request: &Request, deadline: Deadline) -> Result<Answer, Failure> {
        // An answer touches nothing that outlives it but caches of immutable values.
        catch_unwind(AssertUnwindSafe(|| self.dispatch(request, deadline))).unwrap_or_else(|_| {
            Err(Failure::new(Code::Internal, "pincite met a defect of its own while answering; please report it"))
        })
    }

    fn dispatch(&self, request: &Request, deadline: Deadline) -> Result<Answer, Failure> {
        deadline.check().map_err(timed_out)?;
        let session = Session::new(self, deadline)?;
        let request = &request.clone().settled(self.settings.source_analysis.protocol)?;
        match request {
            Request::Context { text, path_prefix, entity_refs, scope } => {
                match self.settings.source_analysis.protocol {
                    Protocol::One => source_context::answer(&session, request, text, path_prefix).map(Answer::Context),
                    Protocol::Two => {
                        let scope = scope.unwrap_or_default();
                        let asked = selection::Asked { text, path_prefix, entity_refs, scope };
                        selection::answer(&session, request, &asked).map(Answer::Selection)
                    }
                }
            }
            Request::Search { text, mode, path_prefix, max_matches } => {
                let asked = source_search::Asked { text, mode: *mode, path_prefix, max_matches: *max_matches };
                source_search::answer(&session, request, &asked).map(Answer::Search)
            }
            Request::Read { path, start_line, end_line } => {
                source_read::answer(&session, request, path, *start_line, *end_line).map(Answer::Read)
            }
            Request::List { path_prefix, after } => {
                source_list::answer(&session, request, path_prefix, after.as_deref()).map(Answer::List)
            }
        }
    }

    pub(crate) fn scope_rules(&self, prefix: &str) -> Result<ScopeRules, Failure> {
        path::check_prefix(prefix.as_bytes()).map_err(|error| error.into_failure("path_prefix", prefix.as_bytes()))?;
        Ok(ScopeRules::below(prefix, &self.settings))
    }

    pub(crate) fn scope(&self, rules: ScopeRules) -> Result<Arc<Scope>, Failure> {
        let mut scopes = self.scopes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(scope) = scopes.get(&rules) {
            return Ok(Arc::clone(scope));
        }
        let scope = Arc::new(Scope::new(&self.snapshot.manifest, &rules)?);
        if scopes.len() >= KEPT_SCOPES {
            scopes.clear();
        }
        scopes.insert(rules, Arc::clone(&scope));
        Ok(scope)
    }
}

impl Session<'_> {
    /// Begins a request: the pin is re-hashed and compared with the index's.
    pub(crate) fn new(engine: &Engine, deadline: Deadline) -> Result<Session<'_>, Failure> {
        let pin = engine.repository.pin(engine.snapshot.manifest.pin().commit)?;
        if pin != engine.snapshot.manifest.pin() {
            let error = IndexError::corrupt(&engine.snapshot.directory, "its tree is not the commit's");
            return Err(error.into());
        }
        Ok(Session { engine, pin, deadline, work: Work::default(), expansions: Expansions::default() })
    }

    pub(crate) fn evidence(&self) -> Evidence<'_> {
        let engine = self.engine;
        let limits = &engine.settings.limits;
        let (file, line) = (limits.max_file_bytes, limits.max_line_chars);
        Evidence::new(&engine.repository, &engine.snapshot, &self.work, self.pin, file, line)
    }

    /// What the searches of a scope work on.
    pub(crate) fn ground<'a>(&'a self, scope: &'a Scope) -> Ground<'a> {
        Ground {
            repository: &self.engine.repository,
            snapshot: &self.engine.snapshot,
            scope,
            deadline: self.deadline,
            work: &self.work,
            expansions: &self.expansions,
        }
    }

    pub(crate) fn head(
        &self,
        request: &Request,
        status: &'static str,
        limits: Limits,
        warnings: Vec<String>,
    ) -> WireHead {
        let snapshot = &self.engine.snapshot;
        let generation = &snapshot.generation;
        WireHead {
            kind: request.kind().into(),
            protocol: self.engine.settings.source_analysis.protocol.number(),
            pin: WirePin::from(self.pin),
            index: WireIndex {
                id: generation.view_id(&snapshot.commit),
                hints: if generation.has_syntax_hints(&snapshot.commit) { "syntax" } else { "lexical" }.into(),
            },
            request: request.to_value(),
            status: status.into(),
            limits_reached: limits.into_wire(),
            work: self.work.to_wire(),
            warnings,
        }
    }
}
