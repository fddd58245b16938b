import type { Command } from 'commander';

/** A word that may come next. */
export interface Offer {
  word: string;
  description: string;
}

/** An option by its long name, `--` included. */
export interface OfferedOption extends Offer {
  takesValue: boolean;
  /** Undefined: any value. */
  values: readonly string[] | undefined;
}

/** What may follow a command. */
export interface Words {
  /** The command's words: empty for the program itself. */
  path: string;
  commands: Offer[];
  options: OfferedOption[];
}

/** Every command of a program with what may follow it. */
export function wordsOf(command: Command, path: readonly string[] = []): Words[] {
  const helper = command.createHelp();
  const subcommands = helper.visibleCommands(command);
  const offered = subcommands.map((sub) => ({ word: sub.name(), description: sub.description() }));
  const options = helper
    .visibleOptions(command)
    .flatMap(({ long, description, required, optional, argChoices }) =>
      long ? [{ word: long, description, takesValue: required || optional, values: argChoices }] : [],
    );
  const own: Words = { path: path.join(' '), commands: offered, options };
  return [own, ...command.commands.flatMap((sub) => wordsOf(sub, [...path, sub.name()]))];
}
