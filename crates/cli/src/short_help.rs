//! `-h` on one screen: the options of every day. All others, and the examples, are for `--help`.

use clap::Command;

/// What stands under a heading of its own is rarely needed, and is shown by `--help` only.
pub(crate) fn shorten(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_string()).collect();
    let command = names.iter().fold(command, |command, name| command.mut_subcommand(name, shorten));
    let is_rare = |argument: &clap::Arg| argument.get_help_heading().is_some();
    let n_rare =
        command.get_arguments().filter(|argument| is_rare(argument) && !argument.is_hide_set()).count();
    let command = command.mut_args(|argument| {
        let is_rare = is_rare(&argument);
        if is_rare { argument.hide_short_help(true) } else { argument }
    });
    let Some(examples) = command.get_after_help().cloned() else { return command };
    // A list of commands, and nothing else.
    if !names.is_empty() && command.get_positionals().next().is_none() {
        return command;
    }
    let more = if n_rare > 0 { format!("{n_rare} more options and ") } else { String::new() };
    command.after_long_help(examples).after_help(format!("--help shows {more}examples"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory;

    /// Lines of a window as it opens.
    const SCREEN: usize = 33;

    /// The list of all commands may be longer.
    const COMMANDS: usize = 42;

    fn each(command: &mut Command, name: &str, see: &mut dyn FnMut(&str, String)) {
        see(name, command.render_help().to_string());
        let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_string()).collect();
        for below in names.iter().filter(|name| *name != "help") {
            if let Some(command) = command.find_subcommand_mut(below) {
                each(command, &format!("{name} {below}"), see);
            }
        }
    }

    #[test]
    fn the_short_help_of_every_command_fits_on_one_screen() {
        let mut command = shorten(Arguments::command());
        command.build();
        let (mut n_commands, mut long) = (0, Vec::new());
        each(&mut command, "treelet", &mut |name, help| {
            let n_lines = help.lines().count();
            if n_lines > if name == "treelet" { COMMANDS } else { SCREEN } {
                long.push(format!("{n_lines} {name}"));
            }
            n_commands += 1;
        });
        assert!(long.is_empty(), "{long:#?}");
        assert!(n_commands > 30, "{n_commands}");
    }
}
