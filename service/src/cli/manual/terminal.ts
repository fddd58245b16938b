import { styleText } from 'node:util';

import type { Block, Section } from './sections.ts';

const INDENT = 5;
const ITEM_INDENT = INDENT + 4;
/** Narrower than any of the terms would leave no room for text. */
const NARROWEST = 40;
/** Longer lines are hard to read. */
const WIDEST = 100;

/** A page of the manual for a terminal. Its titles are styled; whoever writes it takes that out where it is not welcome. */
export function asTerminalText(sections: readonly Section[], columns: number): string {
  const width = Math.min(Math.max(columns, NARROWEST), WIDEST);
  const parts = sections.map(({ title, blocks }) => {
    const body = blocks.map((block) => blockText(block, width)).join(gapIn(blocks));
    return `${styleText('bold', title, { validateStream: false })}\n${body}`;
  });
  return parts.join('\n');
}

/** Items that all fit on a line stand close together; text has air around it. */
function gapIn(blocks: readonly Block[]): string {
  return blocks.every(({ kind }) => kind === 'item') ? '' : '\n';
}

function blockText(block: Block, width: number): string {
  switch (block.kind) {
    case 'text':
      return wrapped(block.text, INDENT, width);
    case 'item':
      return itemText(block.term, wrapped(block.text, ITEM_INDENT, width));
    case 'lines':
      return block.lines.map((line) => `${' '.repeat(INDENT)}${line}\n`).join('');
    default:
      return block satisfies never;
  }
}

/** A term that is shorter than the indent stands before its text, others above it. */
function itemText(term: string, text: string): string {
  const margin = ' '.repeat(INDENT);
  return INDENT + term.length < ITEM_INDENT
    ? `${margin}${term.padEnd(ITEM_INDENT - INDENT)}${text.slice(ITEM_INDENT)}`
    : `${margin}${term}\n${text}`;
}

/** Text in lines, broken at blanks; a word that is too long has a line of its own. */
function wrapped(text: string, indent: number, width: number): string {
  const margin = ' '.repeat(indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((each) => `${margin}${each}\n`).join('');
}
