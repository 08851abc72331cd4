//! `treelet induce`: grammars from text without trees.

mod common;
mod corpus;
mod hmm;
mod pcfg;
mod start;

pub use hmm::induce_hmm;
pub use pcfg::induce_pcfg;

use crate::models;
use crate::options::induce::{Dmv as Choices, MethodChoice};
use crate::outcome::{Done, Figures, Usage};
use crate::table::plural;
use crate::watch::Watch;
use anyhow::Context;
use arcs::rules::ROOT;
use arcs::rules::RuleTable;
use common::Common;
use corpus::Seen;
use formats::output::AtomicFile;
use induce::dmv::model::{DmvModel, Tags};
use induce::logistic::Pooling;
use induce::rules::Pull;
use induce::{Dmv, Families, Family, InduceOptions, Method, Task};
use std::io::Write as _;
use std::path::Path;

/// Learns a dependency grammar from tags, and writes it.
pub fn induce_dmv(options: &Choices, watch: &dyn Watch) -> anyhow::Result<Done<Figures>> {
    note_ignored(options, watch);
    let common = Common::new(&options.learner, watch)?;
    common.note_ignored();
    let workers = models::workers(options.learner.course.threads)?;
    let (corpora, has_problems) =
        common.read(&options.learner, Seen::Tags, options.grammar.start == "partial")?;
    let family = Dmv::new(corpora.tags.len(), options.grammar.valence);
    let settings = settings(options, &family, &corpora.tags, watch)?;
    let starts = start::starts(options, &family, &corpora, &workers, watch)?;
    let task = Task {
        family: &family,
        items: &corpora.sentences,
        held_out: &corpora.held_out,
        starts,
        fingerprint: corpora.fingerprint(&settings),
    };
    let induced = common.induce(&task, &settings, &workers)?;
    let mut notes = common.notes(&corpora, &induced, &settings);
    notes.insert("start".into(), start::name(&options.grammar.start)?);
    let model = DmvModel {
        tags: corpora.tags.clone(),
        valence: options.grammar.valence,
        grammar: induced.grammar.clone(),
        fine_tags: corpora.fine_tags(),
        punctuation: corpora.punctuation(),
        covariance: induced.normals.as_ref().map(|normals| normals.covariances().to_vec()),
        notes,
    };
    common.run.written(model.write(&options.learner.corpus.new_model.output))?;
    if let Some(path) = &options.grammar.heat_map {
        draw_correlations(path, &model, watch)?;
    }
    let output = options.learner.corpus.new_model.output.display();
    let result = common.say(
        &corpora,
        &induced,
        &format!("treelet model show {output}, treelet parse {output} SENTENCES"),
    );
    Ok(Done { result, has_problems })
}

fn note_ignored(options: &Choices, watch: &dyn Watch) {
    let method = options.learner.learning.method;
    if matches!(method, MethodChoice::VbEm | MethodChoice::Ln) {
        watch.without_effect(&["--rules"], "it is for em, em-map and vb");
    }
    if method != MethodChoice::Ln {
        let of_correlations = ["--families", "--within", "--variance", "--pooling", "--heat-map"];
        watch.without_effect(&of_correlations, "it is for ln, which alone has correlations");
    }
    if options.grammar.rules.is_none() {
        watch.without_effect(&["--rule-share"], "there are no --rules");
    }
    if options.grammar.start != "random" {
        watch.without_effect(&["--restarts"], "it is for --start random");
    }
}

fn settings(
    options: &Choices,
    family: &Dmv,
    tags: &Tags,
    watch: &dyn Watch,
) -> anyhow::Result<InduceOptions> {
    let grammar = &options.grammar;
    let mut settings = common::settings(&options.learner.learning, options.learner.course.chance.seed);
    if settings.method == Method::Ln {
        let families = families(grammar.families.as_deref(), tags, watch)?;
        let covariance = family.family_covariance(&families, grammar.within);
        settings.covariance = Some(covariance.iter().map(|value| value * grammar.variance).collect());
        settings.pooling =
            grammar.pooling.map(|strength| Pooling { groups: family.family_groups(&families), strength });
    } else if let Some(rules) = &grammar.rules {
        let pull = pull(rules.as_deref(), grammar.rule_share, family, tags)?;
        if !pull.named.contains(&true) {
            watch.without_effect(
                &["--rules", "--rule-share"],
                "no rule names an arc between tags of this corpus",
            );
        }
        settings.pull = Some(pull);
    }
    Ok(settings)
}

/// The number of the family of each tag, that for unseen tags included.
fn families(path: Option<&Path>, tags: &Tags, watch: &dyn Watch) -> anyhow::Result<Vec<usize>> {
    let Some(path) = path else { return Ok((0..tags.len()).collect()) };
    let families = if path == Path::new("built-in") {
        Families::built_in()
    } else {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Families::read(&text).map_err(|error| Usage(format!("{}: {error}", path.display())))?
    };
    let strange: Vec<&str> =
        tags.names().iter().map(|tag| tag.as_str()).filter(|tag| families.of(tag).is_none()).collect();
    if !strange.is_empty() {
        watch.note(&format!(
            "note: {} of no family, each on its own: {}",
            plural(strange.len(), "tag"),
            strange.join(" ")
        ));
    }
    let mut numbers = families.number(tags.names());
    numbers.push(tags.names().len());
    Ok(numbers)
}

fn pull(path: Option<&Path>, share: f64, family: &Dmv, tags: &Tags) -> anyhow::Result<Pull> {
    if !(0.0..=1.0).contains(&share) {
        return Err(Usage(format!("--rule-share {share}: give a number from 0 to 1")).into());
    }
    let rules = match path {
        None => RuleTable::default(),
        Some(path) => {
            let text =
                std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            RuleTable::read(&text).map_err(|error| Usage(format!("{}: {error}", path.display())))?
        }
    };
    let name = |tag: u32| tags.names().get(tag as usize).map_or("_", |name| name.as_str());
    let named =
        family.arcs_where(|head, dependent| rules.weight(head.map_or(ROOT, name), name(dependent)) > 0.0);
    Ok(Pull { named, arcs: family.arcs_where(|_, _| true), share })
}

fn draw_correlations(path: &Path, model: &DmvModel, watch: &dyn Watch) -> anyhow::Result<()> {
    let Some(values) = model.mean_correlation() else { return Ok(()) };
    let labels: Vec<&str> = model.tags.names().iter().map(|tag| tag.as_str()).collect();
    let svg = draw::heat_map("Correlations of choices, mean over heads", &labels, &values);
    let cannot = || format!("cannot write {}", path.display());
    let mut file = AtomicFile::create(path).with_context(cannot)?;
    file.write_all(svg.as_bytes()).with_context(cannot)?;
    file.finish().with_context(cannot)?;
    watch.note(&format!("{}: correlations of {}", path.display(), plural(labels.len(), "tag")));
    Ok(())
}

/// The rows of a grammar; the family knows them.
pub(crate) fn is_grammar_of(family: &Dmv, grammar: &[f64]) -> bool {
    family.rows().n_events() == grammar.len()
}
