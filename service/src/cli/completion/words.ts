import type { Command } from 'commander';

/** What may follow a command: its subcommands, its options, and the values that an option takes. */
export interface Words {
  /** The command's words: empty for the program itself. */
  path: string;
  next: string[];
  /** Values of an option, by its long name. */
  values: Map<string, readonly string[]>;
}

/** Every command of a program with what may follow it. */
export function wordsOf(command: Command, path: readonly string[] = []): Words[] {
  const options = command.createHelp().visibleOptions(command);
  const subcommands = command.createHelp().visibleCommands(command);
  const own: Words = {
    path: path.join(' '),
    next: [...subcommands.map((sub) => sub.name()), ...options.flatMap(({ long }) => long ?? [])],
    values: new Map(options.flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices]] : []))),
  };
  const inner = subcommands
    .filter((sub) => sub.name() !== 'help')
    .flatMap((sub) => wordsOf(sub, [...path, sub.name()]));
  return [own, ...inner];
}
