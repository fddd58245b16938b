import { Argument } from 'commander';

import type { Command } from './command.ts';
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import { wordsOf } from './completion/words.ts';
import { type Io, write } from './io.ts';

/** Zsh runs Bash's completions once it is asked to. */
const ZSH = 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n';

/** Adds `completion`. Add it last: it knows the commands that are there. */
export function addCompletion(program: Command, io: Io): void {
  program
    .command('completion')
    .description("print a script that completes this program's commands and options in a shell")
    .addArgument(new Argument('<shell>', 'for which shell').choices(['bash', 'zsh', 'fish']))
    .example('in ~/.bashrc', 'source <(marque completion bash)')
    .example('in ~/.zshrc', 'source <(marque completion zsh)')
    .example('in ~/.config/fish/config.fish', 'marque completion fish | source')
    .action(async (shell: string) => {
      const words = wordsOf(program);
      await write(io.stdout, shell === 'fish' ? fishScript(words) : (shell === 'zsh' ? ZSH : '') + bashScript(words));
    });
}
