import type { Command } from '../command.ts';
import {
  type Block,
  commandsOf,
  describing,
  environmentOf,
  examplesOf,
  pathOf,
  type Section,
  sectionsOf,
  synopsisOf,
} from './sections.ts';

/** When what the page says was last changed by hand; a page of the manual has a date. */
const DATE = '2026-11-20';

const LINE = 80;

/** The whole program as one page for `man`, in its macros. */
export function asManPage(program: Command): string {
  const [name, synopsis] = sectionsOf(program);
  const [description] = describing(program);
  const options = describing(program).find(({ title }) => title === 'OPTIONS');
  const head = [name, synopsis, description].filter((section) => section !== undefined);
  const lines = [
    `.\\" Made by: npm run manual`,
    `.TH MARQUE 1 ${DATE} Marque "Marque manual"`,
    ...head.flatMap(sectionLines),
    ...(options === undefined ? [] : sectionLines(options)),
    '.SH COMMANDS',
    ...leavesOf(program).flatMap(commandLines),
    ...sectionLines({ title: 'EXAMPLES', blocks: [program, ...leavesOf(program)].flatMap(examplesOf) }),
    ...sectionsOf(program)
      .filter(({ title }) => title === 'EXIT STATUS')
      .flatMap(sectionLines),
    ...sectionLines({ title: 'ENVIRONMENT', blocks: environmentOf(program) }),
  ];
  return `${lines.join('\n')}\n`;
}

/** The commands that do something themselves, in the order in which they are listed. */
function leavesOf(command: Command): Command[] {
  const inner = commandsOf(command);
  return inner.length === 0 ? [command] : inner.flatMap(leavesOf);
}

function commandLines(command: Command): string[] {
  const sections = describing(command);
  return [
    `.SS ${escaped(pathOf(command))}`,
    '.nf',
    plain(synopsisOf(command)),
    '.fi',
    ...sections.flatMap(({ title, blocks }) =>
      title === 'COMMANDS' ? [] : blocks.filter((block) => !isHelp(block)).flatMap(blockLines),
    ),
  ];
}

function sectionLines({ title, blocks }: Section): string[] {
  const [first, ...others] = blocks.map(blockLines);
  if (first === undefined) return [];
  // The first paragraph of a section begins where the section does.
  return [`.SH ${title}`, ...(first[0] === '.PP' ? first.slice(1) : first), ...others.flat()];
}

function blockLines(block: Block): string[] {
  switch (block.kind) {
    case 'text':
      return ['.PP', ...filled(block.text)];
    case 'item':
      return ['.TP', `.B ${escaped(block.term)}`, ...filled(block.text)];
    case 'lines':
      return ['.PP', '.nf', ...block.lines.map((line) => plain(`    ${line}`)), '.fi'];
    default:
      return block satisfies never;
  }
}

/** Every command has it: said once, it is enough. */
function isHelp(block: Block): boolean {
  return block.kind === 'item' && block.term.endsWith('--help');
}

/** Running text in lines that editors show whole; man fills them anew. */
function filled(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || plain(`${last} ${word}`).length > LINE) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map(plain);
}

/** A line of text: one that begins as a request would is kept from being one. */
function plain(text: string): string {
  const line = escaped(text);
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replaceAll('"', '\\(dq');
}
