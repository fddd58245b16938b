import { Parser } from 'saxen';

import { tooLarge } from '../unpacked.ts';

/**
 * Characters that the parser may keep because it has not seen the end of a text, a tag, a comment or a CDATA section.
 * It reads them again with each piece, so that its time grows with their square. A cell holds 32,767 characters, of up
 * to six each.
 */
const MOST_KEPT = 300_000;

/** Elements within one another: a workbook has about ten. */
const DEEPEST = 100;

/** Handles the elements of a document; names come without their prefix. */
export interface XmlHandler {
  open: (name: string, attributes: () => Readonly<Record<string, string>>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

/**
 * Makes a parser of XML that is fed in pieces, and throws an Error if the XML is damaged, or a text or tag in it is too
 * long.
 */
export function xmlParser({ open, close, text }: XmlHandler): { write: (piece: string) => void; end: () => void } {
  const parser = new Parser();
  /** Characters that the parser keeps, or a piece more. */
  let kept = 0;
  let hasProgressed = false;
  let depth = 0;
  const progress = (): void => {
    hasProgressed = true;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('openTag', (name, attributes) => {
    progress();
    depth += 1;
    if (depth > DEEPEST) throw new Error('The XML has too many elements within one another.');
    open(plain(name), attributes);
  });
  parser.on('closeTag', (name) => {
    progress();
    depth -= 1;
    close?.(plain(name));
  });
  parser.on('text', (value, decode) => {
    progress();
    text?.(value.includes('&') ? decode(value) : value);
  });
  parser.on('cdata', (value) => {
    progress();
    text?.(value);
  });
  for (const other of ['comment', 'question', 'attention'] as const) parser.on(other, progress);
  const write = (piece: string): void => {
    if (kept > MOST_KEPT) throw tooLarge('A text, formula or tag in the workbook');
    hasProgressed = false;
    parser.write(piece);
    kept = hasProgressed ? piece.length : kept + piece.length;
  };
  return { write, end: () => void parser.end() };
}

/** Reads a whole part. */
export async function readXml(pieces: AsyncIterable<string>, handler: XmlHandler): Promise<void> {
  const parser = xmlParser(handler);
  for await (const piece of pieces) parser.write(piece);
  parser.end();
}

function plain(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** Returns an attribute by its name without the prefix. */
export function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(attributes).find((each) => each === name || each.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}
