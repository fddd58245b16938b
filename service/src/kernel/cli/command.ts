import { Command as Plain } from 'commander';

import type { EnvironmentValues } from '../config/environment.ts';
import { withProgram } from './program-name.ts';

/** Represents every setting, among those that a command reads. */
export const ALL_SETTINGS = '*';

type SettingName = typeof ALL_SETTINGS | keyof EnvironmentValues;

const EXIT_STATUSES = 'Exit status: 0 success, 1 failure, 2 wrong usage.';

/** A command whose help also shows paragraphs, examples, and the settings that it reads. */
export class Command extends Plain {
  readonly #paragraphs: string[] = [];
  readonly #examples: string[] = [];
  readonly #settings: string[] = [];

  constructor(name?: string) {
    super(name);
    this.helpOption('-h, --help', 'show this help');
    const plain = this.createHelp();
    this.configureHelp({
      argumentDescription: (argument) => this.#asCalled(plain.argumentDescription(argument)),
      subcommandDescription: (command) => this.#asCalled(plain.subcommandDescription(command)),
    });
    this.addHelpText('after', ({ command }) => this.#details(command));
  }

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  /** Adds a paragraph to the help. */
  about(paragraph: string): this {
    this.#paragraphs.push(paragraph);
    return this;
  }

  /** Adds an example: its description, then the line. */
  example(does: string, line: string): this {
    this.#examples.push(`  # ${does}\n  ${line}`);
    return this;
  }

  /** Names settings that the command reads, as do its own commands. */
  reads(...names: SettingName[]): this {
    this.#settings.push(...names);
    return this;
  }

  #details(command: Plain): string {
    const help = command.createHelp();
    const width = command.configureOutput().getOutHelpWidth?.() ?? 80;
    const parts = [
      ...this.#paragraphs,
      ...(this.#examples.length > 0 ? [`Examples:\n${this.#examples.join('\n')}`] : []),
      ...this.#settingsText(),
      EXIT_STATUSES,
    ];
    return `\n${parts.map((part) => help.boxWrap(this.#asCalled(part), width)).join('\n\n')}`;
  }

  #settingsText(): string[] {
    const own = this.#allSettings();
    if (own.includes(ALL_SETTINGS)) return ['Settings: environment variables; marque config lists them all.'];
    return own.length === 0 ? [] : [`Settings (environment): ${own.join(', ')}`];
  }

  /** Returns a text with the program's installed name. */
  #asCalled(text: string): string {
    const program = programOf(this);
    const commands = program.commands.map((command) => command.name());
    return withProgram(text, program.name(), commands);
  }

  /** Returns its own settings and those of its parent commands, except the program's. */
  #allSettings(): string[] {
    const above = this.parent instanceof Command && this.parent.parent !== null ? this.parent.#allSettings() : [];
    return [...new Set([...above, ...this.#settings])];
  }
}

function programOf(command: Plain): Plain {
  return command.parent === null ? command : programOf(command.parent);
}
