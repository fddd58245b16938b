import { Parser } from 'saxen';

import { tooLarge } from '../unpacked.ts';

/** Characters from one tag to the next; a cell holds 32,767. The parser's time grows with their square. */
const BETWEEN_TAGS = 200_000;

/** Handles the elements of a document; names come without their prefix. */
export interface XmlHandler {
  open: (name: string, attributes: () => Readonly<Record<string, string>>) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

/** A parser of XML that is fed in pieces. It throws an Error where the XML is damaged, or a text or tag in it is too long. */
export function xmlParser({ open, close, text }: XmlHandler): { write: (piece: string) => void; end: () => void } {
  const parser = new Parser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('openTag', (name, attributes) => open(plain(name), attributes));
  if (close !== undefined) parser.on('closeTag', (name) => close(plain(name)));
  if (text !== undefined) {
    parser.on('text', (value, decode) => text(value.includes('&') ? decode(value) : value));
    parser.on('cdata', (value) => text(value));
  }
  let sinceTag = 0;
  const write = (piece: string): void => {
    const first = piece.indexOf('<');
    if (sinceTag + (first === -1 ? piece.length : first) > BETWEEN_TAGS) throw tooLarge();
    sinceTag = first === -1 ? sinceTag + piece.length : piece.length - piece.lastIndexOf('<');
    parser.write(piece);
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
