import type { Command } from '../command.ts';

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
  const isRoot = path.length === 0;
  const inner = command.commands.flatMap((sub) => {
    const words = wordsOf(sub, [...path, sub.name()]);
    // `help` is followed by whatever there is help for.
    return isRoot && sub.name() === 'help' ? words.map((each) => ({ ...each, commands: offered })) : words;
  });
  return [own, ...inner];
}
