//! What can be asked.

use crate::answer::{fault, fault_with_view, found};
use crate::guard::Who;
use crate::serve::Shared;
use crate::stream::Told;
use crate::training;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use treelet::options::RemarkPlace;
use treelet::project::{
    Desk, ExportFormat, Exported, Exporting, Fault, MergeBy, Posted, QueueOrder, ShowOnly,
};

/// The most rows of a page.
const MOST_ROWS: usize = 500;

/// Does something that may take a moment on a thread that may wait.
async fn blocking<T: Send + 'static>(
    shared: &Shared,
    work: impl FnOnce(&Desk) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    let shared = shared.clone();
    let done = tokio::task::spawn_blocking(move || work(&shared.desk)).await;
    done.unwrap_or_else(|_| Err(Fault::Wrong("the server is being stopped".into())))
}

/// A request as a value, or what is wrong with it.
fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Fault> {
    serde_json::from_slice(body)
        .map_err(|error| Fault::Wrong(format!("this request cannot be read: {error}")))
}

pub(crate) async fn project(State(shared): State<Shared>, Who(who): Who) -> Response {
    found(overview(&shared, who).await)
}

async fn overview(shared: &Shared, who: i64) -> Result<Value, Fault> {
    let overview = blocking(shared, move |desk| desk.overview(who)).await?;
    let mut value = serde_json::to_value(&overview).map_err(|error| Fault::Wrong(error.to_string()))?;
    value["annotator"]["is_new"] = json!(overview.is_new);
    value["relations"] = json!(overview.settings.relations);
    value["tags"] = json!(overview.settings.tags);
    value["language"] = json!("en");
    Ok(value)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Introduction {
    name: Option<String>,
    level: Option<String>,
    experience: Option<String>,
}

pub(crate) async fn introduce(State(shared): State<Shared>, Who(who): Who, body: Bytes) -> Response {
    let introduced = match read::<Introduction>(&body) {
        Ok(Introduction { name, level, experience }) => {
            blocking(&shared, move |desk| desk.introduce(who, name, level, experience)).await
        }
        Err(problem) => Err(problem),
    };
    match introduced {
        Ok(()) => found(overview(&shared, who).await),
        Err(problem) => fault(&problem),
    }
}

pub(crate) async fn settings(State(shared): State<Shared>, Who(who): Who, body: Bytes) -> Response {
    let changed = match read::<Map<String, Value>>(&body) {
        Ok(changed) => {
            let is_model = changed.contains_key("model");
            blocking(&shared, move |desk| desk.change_settings(who, &changed)).await.map(|()| is_model)
        }
        Err(problem) => Err(problem),
    };
    match changed {
        Ok(is_model) => {
            if is_model {
                training::train_if_wanted(&shared);
            }
            found(overview(&shared, who).await)
        }
        Err(problem) => fault(&problem),
    }
}

#[derive(Deserialize)]
pub(crate) struct PageAsked {
    #[serde(default)]
    from: usize,
    n: Option<usize>,
    #[serde(default)]
    show: ShowOnly,
}

pub(crate) async fn sentences(
    State(shared): State<Shared>,
    Who(who): Who,
    Query(rows): Query<PageAsked>,
) -> Response {
    let n = rows.n.unwrap_or(100).min(MOST_ROWS);
    found(blocking(&shared, move |desk| desk.sentences(who, rows.show, rows.from, n)).await)
}

#[derive(Deserialize)]
pub(crate) struct Slot {
    #[serde(default)]
    slot: i64,
}

pub(crate) async fn sentence(
    State(shared): State<Shared>,
    Who(who): Who,
    Path(id): Path<i64>,
    Query(Slot { slot }): Query<Slot>,
) -> Response {
    found(blocking(&shared, move |desk| desk.view(who, id, slot)).await)
}

pub(crate) async fn post_events(
    State(shared): State<Shared>,
    Who(who): Who,
    Path(id): Path<i64>,
    body: Bytes,
) -> Response {
    posted(&shared, who, id, &body, false).await
}

pub(crate) async fn resolve(
    State(shared): State<Shared>,
    Who(who): Who,
    Path(id): Path<i64>,
    body: Bytes,
) -> Response {
    posted(&shared, who, id, &body, true).await
}

async fn posted(shared: &Shared, who: i64, id: i64, body: &Bytes, resolves: bool) -> Response {
    let posted: Posted = match read(body) {
        Ok(posted) => posted,
        Err(problem) => return fault(&problem),
    };
    let (tab, slot) = (posted.tab.clone(), posted.slot);
    let hands_in = posted.events.iter().any(treelet::project::hands_in);
    let done = blocking(shared, move |desk| match resolves {
        true => desk.resolve(who, id, &posted),
        false => desk.post(who, id, &posted),
    })
    .await;
    match done {
        Ok(view) => {
            let data = json!({"sentence": id, "version": view.version, "tab": tab, "slot": slot});
            let _ = shared.told.send(Told { name: "changed", data, to: Some(who) });
            if hands_in {
                training::handed_in(shared);
            }
            Json(view).into_response()
        }
        Err(problem @ (Fault::ChangedElsewhere | Fault::Refused { .. })) => {
            let view = blocking(shared, move |desk| match resolves {
                true => desk.dispute(who, id).map(|dispute| dispute.merged),
                false => desk.view(who, id, slot),
            });
            fault_with_view(&problem, view.await.ok())
        }
        Err(problem) => fault(&problem),
    }
}

pub(crate) async fn history(
    State(shared): State<Shared>,
    Who(who): Who,
    Path(id): Path<i64>,
    Query(Slot { slot }): Query<Slot>,
) -> Response {
    let moments = blocking(&shared, move |desk| desk.moments(who, id, slot)).await;
    found(moments.map(|events| json!({"events": events})))
}

pub(crate) async fn moment(
    State(shared): State<Shared>,
    Who(who): Who,
    Path((id, n)): Path<(i64, usize)>,
    Query(Slot { slot }): Query<Slot>,
) -> Response {
    found(blocking(&shared, move |desk| desk.view_after(who, id, slot, n)).await)
}

#[derive(Deserialize)]
pub(crate) struct Asked {
    #[serde(default)]
    order: QueueOrder,
    after: Option<i64>,
}

pub(crate) async fn next(
    State(shared): State<Shared>,
    Who(who): Who,
    Query(asked): Query<Asked>,
) -> Response {
    found(blocking(&shared, move |desk| desk.next(who, asked.order, asked.after)).await)
}

#[derive(Deserialize)]
pub(crate) struct HowMany {
    n: Option<usize>,
}

pub(crate) async fn questions(
    State(shared): State<Shared>,
    Who(who): Who,
    Query(HowMany { n }): Query<HowMany>,
) -> Response {
    let questions = blocking(&shared, move |desk| desk.questions(who, n.unwrap_or(20).min(MOST_ROWS))).await;
    found(questions.map(|questions| json!({"questions": questions})))
}

pub(crate) async fn train(State(shared): State<Shared>, Who(_): Who) -> Response {
    Json(json!({"started": training::train(&shared)})).into_response()
}

#[derive(Deserialize)]
pub(crate) struct Drawn {
    /// The words on axes and in legends in the language of the page, as JSON.
    words: Option<String>,
}

pub(crate) async fn agreement(
    State(shared): State<Shared>,
    Who(who): Who,
    Query(Drawn { words }): Query<Drawn>,
) -> Response {
    let words = words.map_or_else(|| Ok(BTreeMap::new()), |words| read(&Bytes::from(words)));
    match words {
        Ok(words) => found(blocking(&shared, move |desk| desk.compare_and_draw(who, &words)).await),
        Err(problem) => fault(&problem),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MergeAsked {
    by: MergeBy,
}

pub(crate) async fn merge_all(State(shared): State<Shared>, Who(who): Who, body: Bytes) -> Response {
    merged(&shared, who, None, &body).await
}

pub(crate) async fn merge(
    State(shared): State<Shared>,
    Who(who): Who,
    Path(id): Path<i64>,
    body: Bytes,
) -> Response {
    merged(&shared, who, Some(id), &body).await
}

async fn merged(shared: &Shared, who: i64, id: Option<i64>, body: &Bytes) -> Response {
    let MergeAsked { by } = match read(body) {
        Ok(asked) => asked,
        Err(problem) => return fault(&problem),
    };
    let now = training::now();
    let done = blocking(shared, move |desk| {
        let merged = desk.merge(who, id, by, now)?;
        Ok((merged, id.map(|id| desk.dispute(who, id)).transpose()?.map(|dispute| dispute.merged)))
    })
    .await;
    found(done.map(|(sentences, view)| json!({"sentences": sentences, "merged": view})))
}

pub(crate) async fn disputed(State(shared): State<Shared>, Who(who): Who) -> Response {
    let disputed = blocking(&shared, move |desk| desk.disputed(who)).await;
    found(disputed.map(|sentences| json!({"sentences": sentences})))
}

pub(crate) async fn dispute(State(shared): State<Shared>, Who(who): Who, Path(id): Path<i64>) -> Response {
    found(blocking(&shared, move |desk| desk.dispute(who, id)).await)
}

#[derive(Deserialize)]
pub(crate) struct Export {
    format: ExportFormat,
    annotator: Option<String>,
    #[serde(default)]
    comments: RemarkPlace,
    #[serde(default)]
    suggestions: bool,
}

pub(crate) async fn export(
    State(shared): State<Shared>,
    Who(who): Who,
    Query(Export { format, annotator, comments, suggestions }): Query<Export>,
) -> Response {
    let exporting = Exporting { annotator, comments, suggestions };
    match blocking(&shared, move |desk| desk.export_for(who, format, &exporting)).await {
        Ok(Exported { bytes, lost, .. }) => {
            let name = format!("attachment; filename=\"project.{}\"", format.extension());
            let headers = [
                (header::CONTENT_TYPE, format.media_type().to_string()),
                (header::CONTENT_DISPOSITION, name),
            ];
            let lost = [(HeaderName::from_static("x-treelet-left-out"), json!(lost).to_string())];
            (headers, lost, bytes).into_response()
        }
        Err(problem) => fault(&problem),
    }
}
