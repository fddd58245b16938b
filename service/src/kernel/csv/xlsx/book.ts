import { posix } from 'node:path';

import { TableError } from '@marque/catalog/tables';

import { tooLarge } from '../unpacked.ts';
import { builtInForm, formOfCode, type NumberForm } from './numbers.ts';
import type { Parts } from './parts.ts';
import { attributeOf, readXml } from './xml.ts';

/** Characters of a cell with its formula: Excel's has at most 32,767, and six may stand for one. */
export const CELL_CHARACTERS = 300_000;

/** Characters of a sheet's name: many times the 31 that Excel takes. */
const SHEET_NAME = 255;

/**
 * Sheets, their parts, and forms of cells: Excel has at most 65,490 forms. A list or a map of millions is more than V8
 * finds room for where a thread's memory ends, and then it ends the process.
 */
const MOST_LISTED = 65_536;

function refuseMany(count: number): void {
  if (count > MOST_LISTED) throw tooLarge('A list of parts or formats in the workbook');
}

/** The texts that cells share, in parts for the same reason. */
export class SharedTexts {
  readonly #parts: string[][] = [];

  add(text: string): void {
    const last = this.#parts.at(-1);
    if (last === undefined || last.length === PART) this.#parts.push([text]);
    else last.push(text);
  }

  /** Returns a text by its number, from 0; undefined: there is none. */
  at(number: number): string | undefined {
    return this.#parts[Math.floor(number / PART)]?.[number % PART];
  }
}

const PART = 65_536;

/** The parts of a workbook that are read before its sheets. */
export interface Book {
  /** Visible sheets of cells, in their order, with the names of their parts. */
  sheets: readonly { name: string; part: string }[];
  strings: Pick<SharedTexts, 'at'>;
  /** By the number of a cell's style. */
  forms: readonly NumberForm[];
  is1904: boolean;
}

/** Limit on the texts that cells share, characters. */
export interface StringBounds {
  characters: number;
}

/** Zips that people take for workbooks, by a part that each has. */
const OTHERS: readonly { part: RegExp; what: string }[] = [
  { part: /^xl\/workbook\.bin$/, what: 'a binary workbook (.xlsb)' },
  { part: /^content\.xml$/, what: 'an OpenDocument file (.ods)' },
  { part: /^Index\/.*\.iwa$|^Index\.zip$/, what: 'a document of Apple Numbers' },
  { part: /^word\/document\.xml$/, what: 'a text document (.docx)' },
];

/**
 * Reads the parts that say where a workbook's sheets are, and how their cells are shown.
 *
 * @throws TableError when the zip is not a workbook, or its texts are too long.
 */
export async function readBook(parts: Parts, bounds: StringBounds): Promise<Book> {
  const root = await relationsOf(parts, '_rels/.rels', '');
  const part = root.find(({ type }) => type.endsWith('/officeDocument'))?.target ?? 'xl/workbook.xml';
  if (!parts.names.has(part) || part.endsWith('.bin')) throw new TableError(notWorkbook(parts.names));
  const relations = await relationsOf(parts, relationsPart(part), part);
  const { sheets, is1904 } = await sheetsOf(parts, part, relations);
  const partOf = (type: string): string | undefined => relations.find((each) => each.type.endsWith(`/${type}`))?.target;
  const [strings, styles] = [partOf('sharedStrings'), partOf('styles')];
  return {
    sheets,
    is1904,
    strings:
      strings !== undefined && parts.names.has(strings)
        ? await stringsOf(parts.textOf(strings), bounds)
        : new SharedTexts(),
    forms: styles !== undefined && parts.names.has(styles) ? await formsOf(parts.textOf(styles)) : [],
  };
}

function notWorkbook(names: ReadonlySet<string>): string {
  const found = OTHERS.find(({ part }) => [...names].some((name) => part.test(name)));
  return `This is ${found?.what ?? 'a compressed file, but not an .xlsx workbook'}. Save it as .xlsx or CSV.`;
}

interface Relation {
  id: string;
  type: string;
  target: string;
}

function relationsPart(part: string): string {
  const slash = part.lastIndexOf('/') + 1;
  return `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
}

/** Returns the parts that a part points to; none where it has no list of them. */
async function relationsOf(parts: Parts, name: string, from: string): Promise<Relation[]> {
  if (!parts.names.has(name)) return [];
  const relations: Relation[] = [];
  await readXml(parts.textOf(name), {
    open: (element, attributes) => {
      if (element !== 'Relationship') return;
      const { Id: id = '', Type: type = '', Target: target = '' } = attributes();
      refuseMany(relations.length);
      // From the root of the zip, or from the folder of the part.
      relations.push({ id, type, target: posix.resolve('/', posix.dirname(from), target).slice(1) });
    },
  });
  return relations;
}

async function sheetsOf(
  parts: Parts,
  part: string,
  relations: readonly Relation[],
): Promise<Pick<Book, 'sheets' | 'is1904'>> {
  const sheets: { name: string; part: string }[] = [];
  const byId = new Map(relations.toReversed().map((relation) => [relation.id, relation]));
  let is1904 = false;
  await readXml(parts.textOf(part), {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes()['date1904'] ?? '');
      if (element !== 'sheet') return;
      const own = attributes();
      const relation = byId.get(attributeOf(own, 'id') ?? '');
      // Charts and macros are sheets of other types.
      const isVisible = (own['state'] ?? 'visible') === 'visible';
      refuseMany(sheets.length);
      if (relation?.type.endsWith('/worksheet') === true && isVisible)
        sheets.push({ name: (own['name'] ?? '').slice(0, SHEET_NAME), part: relation.target });
    },
  });
  return { sheets, is1904 };
}

/** Returns the texts that cells share. What is only there to pronounce them is left out. */
async function stringsOf(pieces: AsyncIterable<string>, { characters: most }: StringBounds): Promise<SharedTexts> {
  const strings = new SharedTexts();
  let [text, isText, isPronounced, characters] = ['', false, false, 0];
  await readXml(pieces, {
    open: (element) => {
      if (element === 'si') text = '';
      else if (element === 't') isText = !isPronounced;
      else if (element === 'rPh') isPronounced = true;
    },
    close: (element) => {
      if (element === 't') isText = false;
      else if (element === 'rPh') isPronounced = false;
      else if (element === 'si') {
        characters += text.length + 1;
        if (characters > most) throw tooLarge('The list of texts that the cells of the workbook share');
        strings.add(unescaped(text));
      }
    },
    text: (part) => {
      if (isText) text += part;
      if (text.length > CELL_CHARACTERS) throw tooLarge('A text that the cells of the workbook share');
    },
  });
  return strings;
}

/** Decodes characters that XML cannot hold, which stand as their code (ECMA-376, part 1, 22.9.2.19). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

async function formsOf(pieces: AsyncIterable<string>): Promise<NumberForm[]> {
  const known = new Map<string, NumberForm>();
  const forms: NumberForm[] = [];
  let isCells = false;
  await readXml(pieces, {
    open: (element, attributes) => {
      if (element === 'cellXfs') isCells = true;
      if (element === 'numFmt') {
        const { numFmtId: id = '', formatCode: code = '' } = attributes();
        known.set(id, formOfCode(code));
        refuseMany(known.size);
      }
      if (element !== 'xf' || !isCells) return;
      const id = attributes()['numFmtId'] ?? '0';
      refuseMany(forms.length);
      forms.push(known.get(id) ?? builtInForm(Number(id)));
    },
    close: (element) => {
      if (element === 'cellXfs') isCells = false;
    },
  });
  return forms;
}
