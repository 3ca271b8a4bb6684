//! Progress on standard error.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use pincite_indexer::{NoProgress, Phase, Progress};

use crate::flags::ProgressKind;

/// Progress that can be cleared away.
pub(crate) trait Shown: Progress {
    /// Removes what is left on the screen.
    fn finish(&self);
}

/// The progress that was asked for.
pub(crate) fn progress(kind: ProgressKind) -> Box<dyn Shown> {
    match kind {
        ProgressKind::Auto if io::stderr().is_terminal() => Box::new(Bar(Mutex::new(None))),
        ProgressKind::Plain => Box::new(Plain),
        ProgressKind::Auto | ProgressKind::None => Box::new(NoProgress),
    }
}

impl Shown for NoProgress {
    fn finish(&self) {}
}

fn label(phase: Phase) -> &'static str {
    match phase {
        Phase::Walk => "walking trees",
        Phase::Postings => "indexing",
        Phase::Hints => "parsing",
        Phase::Survey => "reading names",
    }
}

struct Plain;

impl Progress for Plain {
    fn begin(&self, phase: Phase, total: Option<u64>) {
        match total {
            Some(total) if phase == Phase::Survey => eprintln!("pincite: {} in {total} files", label(phase)),
            Some(total) => eprintln!("pincite: {} {}", label(phase), super::style::bytes(total)),
            None => eprintln!("pincite: {}", label(phase)),
        }
    }

    fn advance(&self, _units: u64) {}
}

impl Shown for Plain {
    fn finish(&self) {}
}

struct Bar(Mutex<Option<ProgressBar>>);

impl Progress for Bar {
    fn begin(&self, phase: Phase, total: Option<u64>) {
        let bar = match total {
            Some(total) if phase == Phase::Survey => {
                ProgressBar::new(total).with_style(style("{msg:14} {wide_bar} {pos}/{len} files {eta}"))
            }
            Some(total) => ProgressBar::new(total).with_style(style("{msg:14} {wide_bar} {bytes}/{total_bytes} {eta}")),
            None => ProgressBar::new_spinner().with_style(style("{msg:14} {spinner} {pos} paths")),
        };
        bar.set_message(label(phase));
        bar.enable_steady_tick(Duration::from_millis(120));
        if let Ok(mut shown) = self.0.lock()
            && let Some(old) = shown.replace(bar)
        {
            old.finish_and_clear();
        }
    }

    fn advance(&self, units: u64) {
        if let Ok(shown) = self.0.lock()
            && let Some(bar) = shown.as_ref()
        {
            bar.inc(units);
        }
    }
}

impl Shown for Bar {
    fn finish(&self) {
        if let Ok(mut shown) = self.0.lock()
            && let Some(bar) = shown.take()
        {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
