//! From a question to a ranked list of chunks. Every answer is made this way.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use kitbag_rank::bm25;
use kitbag_rank::factors::{Facts, QuestionContext, rank};
use kitbag_rank::fuse::{List, fuse};
use kitbag_rank::tuning;
use kitbag_store::Snapshot;
use kitbag_types::terms::stemmed;
use kitbag_types::{Filter, Query, Stop};

use crate::conventions::conventions;
use crate::engine::Candidate;
use crate::feedback::Feedback;
use crate::providers::{Ask, Evidence, Row, allowed_files, ends_all};
use crate::scope::{ActivePackage, PackageScope};
use crate::variety::varied;
use crate::{Engine, EngineError};

/// What a question finds.
pub(crate) struct Gathered {
    /// Best first.
    pub candidates: Vec<Candidate>,
    pub evidence: Evidence,
    /// Providers that failed or took too long: the others answered (ENG-70).
    pub failed: Vec<FailedProvider>,
    /// Processor time of each provider that was asked.
    pub times: Vec<(&'static str, Duration)>,
}

/// A provider that the answer does without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FailedProvider {
    pub name: &'static str,
    pub reason: String,
}

/// What stands instead of its list.
pub(crate) const WITHOUT_PROVIDER: &str = "answered without it";

/// Looks at the clock every so many times that somebody asks whether to stop: a system call costs as much as a row of the index.
const LOOKS: u32 = 64;

/// The time of one provider, as something to stop at. Once it is over it stays over.
struct TimeLimit {
    clock: fn() -> Duration,
    began: Duration,
    ends: Duration,
    n_asked: AtomicU32,
    is_over: AtomicBool,
}

impl TimeLimit {
    fn new(engine: &Engine) -> Self {
        let clock = engine.options.clock;
        let began = clock();
        Self {
            clock,
            began,
            ends: began.saturating_add(engine.options.searching.provider_limit),
            n_asked: AtomicU32::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    fn spent(&self) -> Duration {
        (self.clock)().saturating_sub(self.began)
    }

    fn is_over(&self) -> bool {
        let looks = self.n_asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(LOOKS);
        if looks && (self.clock)() > self.ends {
            self.is_over.store(true, Ordering::Relaxed);
        }
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Asks every provider that is switched on, fuses their lists, lets code knowledge reorder.
pub(crate) fn gather(
    engine: &Engine,
    snapshot: &Snapshot<'_>,
    query: &Query,
    filter: &Filter,
    warnings: &mut Vec<String>,
    stop: Stop<'_>,
) -> Result<Gathered, EngineError> {
    stop.check()?;
    let reach = PackageScope::of(snapshot, filter, &query.references, warnings)?;
    let reach = reach.as_ref();
    let allowed = &allowed_files(engine, snapshot, filter, reach)?;
    let mut lists: Vec<List<Row>> = Vec::new();
    let mut evidence = Evidence::default();
    let mut failed = Vec::new();
    let mut times = Vec::new();
    for provider in engine.providers_for(filter) {
        stop.check()?;
        let limit = TimeLimit::new(engine);
        let ends = || stop.is_stopped() || limit.is_over();
        let answer = provider.run(&Ask {
            engine,
            snapshot,
            query,
            allowed,
            lists: &lists,
            evidence: &evidence,
            stop: Stop::when(&ends),
        });
        times.push((provider.name(), limit.spent()));
        match answer {
            Ok(answer) => {
                warnings.extend(answer.warnings);
                evidence.add(answer.evidence);
                lists.push(List {
                    provider: provider.name(),
                    weight: engine.options.provider(provider.name()).weight,
                    found: answer.found,
                });
            }
            Err(EngineError::Cancelled) if !stop.is_stopped() => {
                let ms = engine.options.searching.provider_limit.as_millis();
                failed.push(FailedProvider {
                    name: provider.name(),
                    reason: format!("provider {} took longer than {ms} ms", provider.name()),
                });
            }
            Err(error) if ends_all(&error) => return Err(error),
            // One that fails is named in the warnings and leaves the others alone.
            Err(error) => failed.push(FailedProvider {
                name: provider.name(),
                reason: format!("provider {} failed: {error}", provider.name()),
            }),
        }
    }
    let fused = fuse(&lists, engine.options.fusion);
    let home = ActivePackage::of(snapshot, filter.active.as_ref())?;
    let mut facts = facts(snapshot, &fused, &evidence, (reach, home.as_ref()), stop)?;
    let feedback = Feedback::of(engine, &filter.user);
    for (facts, candidate) in facts.iter_mut().zip(&fused) {
        facts.feedback = feedback.factor(candidate.chunk.path.as_str(), &candidate.chunk.label);
    }
    let is_text = tuning::Group::of(query) == tuning::Group::Text;
    let title_keywords = if is_text { &query.title.keywords[..] } else { &[] };
    let asked = QuestionContext {
        query,
        telling: &telling(snapshot, &query.keywords)?,
        title_telling: &telling(snapshot, title_keywords)?,
        active: filter.active.as_ref(),
        conventions: conventions(),
        without: &filter.without,
    };
    let mut candidates = rank(fused, &facts, &asked);
    candidates.retain(|candidate| candidate.score >= filter.min_score);
    if let Some(lambda) = filter.mmr_lambda {
        candidates = varied(snapshot, evidence.meaning(), candidates, lambda, stop)?;
    }
    Ok(Gathered {
        candidates,
        evidence,
        failed,
        times,
    })
}

/// Uses are counted for this many of the best candidates; further down they would not change what is shown.
const COUNTED: usize = 24;

/// What ranking needs to know of each candidate, in their order.
fn facts(
    snapshot: &Snapshot<'_>,
    fused: &[Candidate],
    evidence: &Evidence,
    (reach, home): (Option<&PackageScope>, Option<&ActivePackage>),
    stop: Stop<'_>,
) -> Result<Vec<Facts>, EngineError> {
    let mut facts = Vec::with_capacity(fused.len());
    for (rank_idx, candidate) in fused.iter().enumerate() {
        stop.check()?;
        let row = &candidate.chunk;
        let n_users = match row.names.first() {
            Some(name) if rank_idx < COUNTED => snapshot.n_users(name, tuning::CENTRAL_FULL)?,
            _ => 0,
        };
        facts.push(Facts {
            n_users,
            active_package: home.is_some_and(|home| home.holds(&row.path)),
            package: reach.map_or(1.0, |reach| reach.weight(&row.path)),
            ..evidence.of(row)
        });
    }
    Ok(facts)
}

/// The weight of each keyword: its rarity among the chunks.
fn telling(snapshot: &Snapshot<'_>, keywords: &[String]) -> Result<Vec<f64>, EngineError> {
    let text = snapshot.text();
    let stems: Vec<String> = keywords.iter().map(|word| stemmed(word)).collect();
    let postings = text.postings(&stems, &|_, _, _| 1.0)?;
    let rarity = |list: &Vec<(u32, f32)>| f64::from(bm25::idf(text.n_docs(), list.len() as u64));
    Ok(postings.iter().map(rarity).collect())
}
