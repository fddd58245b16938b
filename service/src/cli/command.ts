import { Command as Plain, Help } from 'commander';

import { sectionsOf } from './manual/sections.ts';
import { asTerminalText } from './manual/terminal.ts';

/** One command line and what it does. */
export interface Example {
  line: string;
  does: string;
}

/** A command that explains itself as a page of a manual does. */
export class Command extends Plain {
  // All of a program's are made by `createCommand`.
  declare parent: Command | null;
  declare readonly commands: readonly Command[];
  /** Paragraphs beyond the one sentence of the description. */
  readonly paragraphs: string[] = [];
  readonly examples: Example[] = [];
  /** Names of the settings that it reads; its own commands read them too. */
  readonly settings: string[] = [];

  override createCommand(name?: string): Command {
    return new Command(name).helpOption('-h, --help', 'show this page');
  }

  override createHelp(): Help {
    return new ManualHelp();
  }

  /** Adds a paragraph to what the manual says of the command. */
  about(paragraph: string): this {
    this.paragraphs.push(paragraph);
    return this;
  }

  /** Adds an example: what it does, then the line. */
  example(does: string, line: string): this {
    this.examples.push({ does, line });
    return this;
  }

  /** Names settings that change what the command does. */
  reads(...names: string[]): this {
    this.settings.push(...names);
    return this;
  }
}

/** Help in the layout of a manual page. */
class ManualHelp extends Help {
  override formatHelp(command: Plain): string {
    if (!(command instanceof Command)) throw new Error('A command of the program is not of its own kind.');
    return asTerminalText(sectionsOf(command), this.helpWidth ?? 80);
  }
}
