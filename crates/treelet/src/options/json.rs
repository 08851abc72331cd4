//! Options as JSON objects, for doors that have no command line.
//!
//! The names, defaults, ranges and conflicts of options stand once, in the structs of [`options`](super). Keyword arguments and
//! the fields of a form are turned into what would be typed and go through the same definitions, so that every door accepts the
//! same, refuses the same, and says the same.

use crate::outcome::Usage;
use clap::{Arg, ArgAction, Args, Command, FromArgMatches};
use serde_json::{Map, Value};
use std::ffi::OsString;
use tree::PutInOrder;

/// The options of a use case from an object: `{"files": ["a.conllu"], "output": "m.treelet", "epochs": 4, "resume": true}`.
///
/// Names are those of the command line, with `_` or `-`; `null` and `false` are as if nothing had been given.
pub fn from_json<T: Args + FromArgMatches>(object: &Map<String, Value>) -> anyhow::Result<T> {
    let mut command = T::augment_args(Command::new("options").no_binary_name(true).disable_help_flag(true));
    // Arguments without a name learn their places only now.
    command.build();
    let (mut options, mut places): (Vec<OsString>, Vec<_>) = (Vec::new(), Vec::new());
    for (name, value) in object {
        let argument = find(&command, name)?;
        let given = values(name, value)?;
        match (argument.get_long(), argument.get_short()) {
            (Some(long), _) if is_flag(argument) => options.extend(flag(long, name, value)?),
            (Some(long), _) => options.extend(given.iter().map(|value| format!("--{long}={value}").into())),
            (None, Some(short)) => {
                options.extend(given.iter().map(|value| format!("-{short}{value}").into()))
            }
            (None, None) => places.push((argument.get_index(), given)),
        }
    }
    places.order_by_key(|(index, _)| *index);
    options.push("--".into());
    options.extend(places.into_iter().flat_map(|(_, given)| given).map(OsString::from));
    let matches = command.try_get_matches_from_mut(options).map_err(in_words)?;
    T::from_arg_matches(&matches).map_err(in_words)
}

/// The names of all options of a use case, as [`from_json`] takes them, with their sentences of help.
pub fn names<T: Args>() -> Vec<(String, String)> {
    let command = T::augment_args(Command::new("options"));
    let help = |argument: &Arg| argument.get_help().map(ToString::to_string).unwrap_or_default();
    command.get_arguments().map(|argument| (name_of(argument), help(argument))).collect()
}

fn name_of(argument: &Arg) -> String {
    argument.get_long().map_or_else(|| argument.get_id().to_string(), |long| long.replace('-', "_"))
}

fn find<'a>(command: &'a Command, name: &str) -> anyhow::Result<&'a Arg> {
    let wanted = name.replace('-', "_");
    let mut arguments = command.get_arguments();
    // What an option was called before is taken here, too.
    let is_alias = |argument: &Arg| {
        let aliases = argument.get_all_aliases().unwrap_or_default();
        aliases.iter().any(|alias| alias.replace('-', "_") == wanted)
    };
    arguments.find(|argument| name_of(argument) == wanted || is_alias(argument)).ok_or_else(|| {
        let known: Vec<String> = command.get_arguments().map(name_of).collect();
        Usage(format!("there is no option `{name}`; there are {}", known.join(", "))).into()
    })
}

fn is_flag(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::SetTrue | ArgAction::SetFalse | ArgAction::Count)
}

fn flag(long: &str, name: &str, value: &Value) -> anyhow::Result<Option<OsString>> {
    match value {
        Value::Bool(true) => Ok(Some(format!("--{long}").into())),
        Value::Bool(false) | Value::Null => Ok(None),
        other => Err(Usage(format!("`{name}` is true or false, not {other}")).into()),
    }
}

/// What would be typed for a value, once for each of several.
fn values(name: &str, value: &Value) -> anyhow::Result<Vec<String>> {
    match value {
        Value::Null | Value::Bool(_) => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text.clone()]),
        Value::Number(number) => Ok(vec![number.to_string()]),
        Value::Array(all) => {
            let each: anyhow::Result<Vec<Vec<String>>> = all.iter().map(|one| values(name, one)).collect();
            Ok(each?.concat())
        }
        Value::Object(_) => Err(Usage(format!("`{name}` is a text, a number or a list of them")).into()),
    }
}

/// What is wrong, without the advice on how to type it.
fn in_words(error: clap::Error) -> anyhow::Error {
    let text = error.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    Usage(first.trim_start_matches("error: ").to_string()).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::dependency::Dependency;
    use crate::options::parse::Parse;
    use crate::options::{Check, MessageFormat};
    use serde_json::json;

    fn asked<T: Args + FromArgMatches>(value: Value) -> Result<T, String> {
        let Value::Object(object) = value else { return Err("no object".into()) };
        from_json(&object).map_err(|error| error.to_string())
    }

    #[test]
    fn an_object_says_what_the_command_line_says() {
        let options: Dependency = asked(json!({
            "files": ["a.conllu", "-odd.conllu"], "output": "m.treelet", "epochs": 4,
            "non_projective": true, "projective": false, "l2": 0.5, "checkpoint-every": 0,
        }))
        .unwrap_or_else(|text| panic!("{text}"));
        assert_eq!(options.files, ["a.conllu", "-odd.conllu"].map(std::path::PathBuf::from));
        assert_eq!((options.descent.epochs, options.descent.l2), (Some(4), Some(0.5)));
        assert!(options.model.non_projective && !options.model.projective);
        assert_eq!((options.course.run.saving.checkpoint_every, options.model.ensemble), (0, 1));
        let check: Check =
            asked(json!({"files": "a", "message_format": "json"})).unwrap_or_else(|t| panic!("{t}"));
        assert_eq!(check.messages.message_format, MessageFormat::Json);
    }

    #[test]
    fn the_order_of_the_object_does_not_matter() {
        for text in [
            r#"{"model": "m.treelet", "input": "a.conllu", "n_best": 2}"#,
            r#"{"input": "a.conllu", "n_best": 2, "model": "m.treelet"}"#,
        ] {
            let value = serde_json::from_str(text).unwrap_or_default();
            let options: Parse = asked(value).unwrap_or_else(|text| panic!("{text}"));
            let places = [&options.what.model, &options.what.input].map(|path| path.display().to_string());
            assert_eq!(places, ["m.treelet", "a.conllu"]);
        }
    }

    #[test]
    fn what_the_command_line_refuses_is_refused_with_its_words() {
        let wrong = |value: Value| asked::<Dependency>(value).err().unwrap_or_default();
        let text = wrong(json!({"files": ["a"], "output": "m", "order": 3}));
        assert!(text.contains("'3'") && text.contains("--order") && text.contains("1..=2"), "{text}");
        assert!(wrong(json!({"output": "m"})).contains("<TRAIN>..."));
        let text = wrong(json!({"files": ["a"], "output": "m", "projective": true, "non_projective": true}));
        assert!(text.contains("cannot be used with"), "{text}");
        let text = wrong(json!({"files": ["a"], "output": "m", "epoch": 3}));
        assert!(text.contains("no option `epoch`") && text.contains("epochs"), "{text}");
        assert!(wrong(json!({"files": ["a"], "output": "m", "resume": 1})).contains("true or false"));
    }

    #[test]
    fn every_option_has_a_sentence_of_help() {
        let names = names::<Dependency>();
        assert!(names.len() > 40 && names.iter().all(|(_, help)| !help.is_empty()), "{names:?}");
    }
}
