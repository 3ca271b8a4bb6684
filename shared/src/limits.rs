//! `ProjectLimits`: the bounds that every operation shares (L-01), and how a bound that bit is reported (L-04).

/// The shared limits of a project. All are configurable; none is a limit of the package format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectLimits {
    /// Milliseconds for one request; 0 means no limit (only the command line sets that).
    pub timeout_ms: u64,
    /// Files with more bytes are skipped as `too_large`.
    pub max_file_bytes: u64,
    /// Blob bytes read to answer one query.
    pub max_search_bytes: u64,
    /// Bytes of the answer's JSON.
    pub max_result_bytes: u64,
    /// Lines of one `source.read`.
    pub max_lines: u32,
    /// Characters of a line before it is shortened.
    pub max_line_chars: u32,
}

impl Default for ProjectLimits {
    fn default() -> Self {
        Self {
            timeout_ms: 5_000,
            max_file_bytes: 64 << 20,
            max_search_bytes: 256 << 20,
            max_result_bytes: 256 << 10,
            max_lines: 80,
            max_line_chars: 400,
        }
    }
}

/// The name of a limit, as it stands in the profile and in `limits_reached`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LimitName {
    /// Matches considered per search.
    MaxMatches,
    /// Searches of one query.
    MaxSearches,
    /// Blob bytes read to answer one query.
    MaxSearchBytes,
    /// Files with windows.
    MaxFiles,
    /// Windows after merging.
    MaxBlocks,
    /// Lines in all windows.
    MaxTotalLines,
    /// Lines of one read.
    MaxLines,
    /// Characters of one line.
    MaxLineChars,
    /// Anchor groups of one query.
    MaxAnchors,
    /// Files of one search that are weighed.
    MaxCandidates,
    /// Files with weak numeric matches that are summarized.
    MaxWeakSummaries,
}

impl LimitName {
    /// The key's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxMatches => "max_matches",
            Self::MaxSearches => "max_searches",
            Self::MaxSearchBytes => "max_search_bytes",
            Self::MaxFiles => "max_files",
            Self::MaxBlocks => "max_blocks",
            Self::MaxTotalLines => "max_total_lines",
            Self::MaxLines => "max_lines",
            Self::MaxLineChars => "max_line_chars",
            Self::MaxAnchors => "max_anchors",
            Self::MaxCandidates => "max_candidates",
            Self::MaxWeakSummaries => "max_weak_summaries",
        }
    }
}

/// A limit that cut something out of an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LimitReached {
    /// Which limit.
    pub limit: LimitName,
    /// Its configured value.
    pub configured: u64,
    /// The search it cut, when it cut one search only.
    pub search: Option<String>,
}
