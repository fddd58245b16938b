import { Argument, type Command } from 'commander';

import { bashScript } from './completion/bash.ts';
import { wordsOf } from './completion/words.ts';
import { type Io, write } from './io.ts';

/** Zsh runs Bash's completions once it is asked to. */
const ZSH = 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n';

/** Adds `completion`. Add it last: it knows the commands that are there. */
export function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description("print a script that completes this program's commands and options in a shell")
    .addArgument(new Argument('<shell>', 'for which shell').choices(['bash', 'zsh']))
    .addHelpText(
      'after',
      '\nIn ~/.bashrc: source <(marque completion bash)\nIn ~/.zshrc:  source <(marque completion zsh)',
    )
    .action(async (shell: string) => {
      await write(io.stdout, (shell === 'zsh' ? ZSH : '') + bashScript(wordsOf(program)));
    });
}
