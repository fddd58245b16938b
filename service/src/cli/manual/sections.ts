import { Help, type Option } from 'commander';
import type { TSchema } from 'typebox';

import { Environment } from '../../platform/config/environment.ts';
import type { Command } from '../command.ts';

/** A part of a section: running text, a term with its explanation, or lines as they stand. */
export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'item'; term: string; text: string }
  | { kind: 'lines'; lines: readonly string[] };

/** A section of a page of the manual. */
export interface Section {
  title: string;
  blocks: readonly Block[];
}

const help = new Help();

/** What every command ends with. */
const EXIT_STATUSES: readonly Block[] = [
  { kind: 'item', term: '0', text: 'Done.' },
  { kind: 'item', term: '1', text: 'Failed. The message says why.' },
  { kind: 'item', term: '2', text: 'Wrong usage: an unknown command or option, or a value that does not fit.' },
];

/** Stands for every setting among those that a command reads. */
export const ALL_SETTINGS = '*';

/** All of them would bury the rest of a page. */
const ALL_SETTINGS_ARE: readonly Block[] = [
  { kind: 'text', text: 'marque config lists every setting with its value; marque help --man says what each is for.' },
];

/** The page of one command. Sections without content are left out. */
export function sectionsOf(command: Command): Section[] {
  const name = pathOf(command);
  const page: Section[] = [
    { title: 'NAME', blocks: [{ kind: 'text', text: `${name} - ${unended(command.description())}` }] },
    { title: 'SYNOPSIS', blocks: [{ kind: 'lines', lines: [synopsisOf(command)] }] },
    ...describing(command),
    { title: 'EXAMPLES', blocks: examplesOf(command) },
    { title: 'EXIT STATUS', blocks: EXIT_STATUSES },
    { title: 'ENVIRONMENT', blocks: isWhole(command) ? ALL_SETTINGS_ARE : environmentOf(command) },
  ];
  return page.filter(({ blocks }) => blocks.length > 0);
}

/** What a command is, takes and can: the sections between its synopsis and its examples. */
export function describing(command: Command): Section[] {
  return [
    { title: 'DESCRIPTION', blocks: aboutOf(command) },
    {
      title: 'COMMANDS',
      blocks: commandsOf(command).map((sub) => ({
        kind: 'item',
        term: [sub.name(), ...argumentsOf(sub)].join(' '),
        text: sentence(sub.description()),
      })),
    },
    {
      title: 'ARGUMENTS',
      blocks: help.visibleArguments(command).map((argument) => ({
        kind: 'item',
        term: argument.name(),
        text: sentence(help.argumentDescription(argument)),
      })),
    },
    {
      title: 'OPTIONS',
      blocks: optionsOf(command).map((option) => ({
        kind: 'item',
        term: option.flags,
        text: sentence(help.optionDescription(option)),
      })),
    },
  ];
}

/** The words that a command is called by: `marque key create`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

/** How a command is written, with what it must have. */
export function synopsisOf(command: Command): string {
  const options = optionsOf(command);
  const required = options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  const parts = [pathOf(command), ...required];
  if (options.some(({ mandatory }) => !mandatory)) parts.push('[options]');
  if (commandsOf(command).length > 0) parts.push('<command>');
  return [...parts, ...argumentsOf(command)].join(' ');
}

/** The commands of a command that do something: not its own help. */
export function commandsOf(command: Command): Command[] {
  return command.commands.filter((sub) => sub.name() !== 'help' || command.parent === null);
}

export function examplesOf(command: Command): Block[] {
  return command.examples.flatMap(({ does, line }): Block[] => [
    { kind: 'text', text: sentence(does) },
    { kind: 'lines', lines: [line] },
  ]);
}

/** The settings that a command or one above it reads; the program itself reads them all. */
export function environmentOf(command: Command): Block[] {
  const names = new Set<string>(command.settings);
  for (let at = command.parent; at !== null && at.parent !== null; at = at.parent) {
    for (const name of at.settings) names.add(name);
  }
  const settings = Object.entries<TSchema & { description?: string; default?: string | number }>(
    Environment.properties,
  );
  return settings
    .filter(([name]) => names.has(name) || names.has(ALL_SETTINGS))
    .map(([name, { description = '', default: preset }]): Block => {
      const without = preset === undefined ? '' : ` Default: ${preset}.`;
      return { kind: 'item', term: name, text: `${sentence(description)}${without}` };
    });
}

function aboutOf(command: Command): Block[] {
  return [command.description(), ...command.paragraphs].map((text) => ({ kind: 'text', text: sentence(text) }));
}

function optionsOf(command: Command): Option[] {
  return help.visibleOptions(command);
}

function argumentsOf(command: Command): string[] {
  return help.visibleArguments(command).map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
}

function isWhole({ settings }: Command): boolean {
  return settings.includes(ALL_SETTINGS);
}

function unended(text: string): string {
  return text.replace(/\.$/, '');
}

/** A sentence of what may begin small and end without a stop. */
function sentence(text: string): string {
  const ended = /[.:]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
