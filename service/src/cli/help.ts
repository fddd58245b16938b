import type { Command } from './command.ts';
import { type Io, write } from './io.ts';
import { asManPage } from './manual/roff.ts';

/** Adds `help`: the page of a command, or the whole manual for `man`. */
export function addHelp(program: Command, io: Io): void {
  program.helpCommand(false);
  const help = program
    .command('help')
    .description('show the page of a command; the same as --help behind it')
    .argument('[command...]', 'the command')
    .option('--man', 'print the whole manual as a page for man')
    .example('read about keys', 'marque help key create')
    .example('install the manual', 'marque help --man > /usr/local/share/man/man1/marque.1')
    .action(async (names: string[], { man }: { man?: boolean }) => {
      if (man === true) return write(io.stdout, asManPage(program));
      let found = program;
      for (const name of names) {
        const next = found.commands.find((command) => command.name() === name);
        if (next === undefined) return help.error(`error: there is no command ${names.join(' ')}`);
        found = next;
      }
      return found.outputHelp();
    });
}
