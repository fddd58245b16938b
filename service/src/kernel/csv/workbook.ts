import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';

import { ZipFile } from 'yazl';

import type { Column, Page } from './csv.ts';
import { type ColumnKind, fitsSpreadsheet, isNumberKind } from './kinds.ts';

/** The limit of a spreadsheet's cell, in characters. */
const CELL_CHARACTERS = 32_767;

/** Characters of text that are compressed at a time. */
const PIECE = 65_536;

/** Tables compress well at any level; this one takes the least time. */
const LEVEL = 1;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The parts of a workbook of one sheet beside the sheet (ECMA-376, part 1). Its second style is bold: the header's. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Result" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels':
    `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml':
    `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>' +
    // Readers such as openpyxl warn about a workbook that does not name its normal style.
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
};

const SHEET =
  `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
  '<sheetFormatPr defaultColWidth="20" defaultRowHeight="15"/><sheetData>';

/**
 * Writes a table as the bytes of an .xlsx workbook: one sheet, its header in view while it scrolls. Text stays text in
 * any form, so no spreadsheet runs it as a formula or turns it into a number or a date.
 *
 * Each chunk, which may be empty, costs a page at most: nothing is made before somebody asks for it.
 */
export async function* workbookOf(columns: readonly Column[], pages: AsyncIterable<Page>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  let written: Buffer[] = [];
  const output = zip.outputStream.pipe(new PassThrough());
  output.on('data', (bytes: Buffer) => written.push(bytes));
  const taken = (): Buffer => {
    const bytes = Buffer.concat(written);
    written = [];
    return bytes;
  };
  for (const [name, text] of Object.entries(PARTS)) zip.addBuffer(Buffer.from(XML + text), name);
  const sheet = new PassThrough();
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { compressionLevel: LEVEL });
  zip.end();
  try {
    for await (const piece of sheetOf(columns, pages)) {
      // Until it is being compressed.
      await new Promise((resolve) => sheet.write(piece, resolve));
      yield taken();
    }
    sheet.end();
    await finished(output);
    yield taken();
  } finally {
    sheet.destroy();
  }
}

/** Writes the sheet in pieces, each of a page at most. */
async function* sheetOf(columns: readonly Column[], pages: AsyncIterable<Page>): AsyncGenerator<Buffer> {
  const letters = columns.map((_, index) => lettersOf(index));
  let line = 1;
  const head = columns.map(({ name }, index) => textCell(`${letters[index]}1" s="1`, name));
  let text = `${XML}${SHEET}<row r="1">${head.join('')}</row>`;
  for await (const page of pages) {
    for (const row of page) {
      line += 1;
      const cells = columns.map(({ kind }, index) => cellOf(`${letters[index]}${line}`, row[index] ?? '', kind));
      text += `<row r="${line}">${cells.join('')}</row>`;
      if (text.length < PIECE) continue;
      yield Buffer.from(text);
      text = '';
    }
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}</sheetData></worksheet>`);
}

/** Returns the name of a column, from 0: A, B, …, Z, AA, …. */
function lettersOf(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return (rest < 0 ? '' : lettersOf(rest)) + String.fromCodePoint(65 + (index % 26));
}

/**
 * Returns the element of a cell. A number of more digits than a spreadsheet keeps stays text: as a number it would be
 * another one.
 */
function cellOf(place: string, cell: string, kind: ColumnKind): string {
  if (cell === '') return '';
  if (kind === 'boolean') return `<c r="${place}" t="b"><v>${cell === 'true' ? 1 : 0}</v></c>`;
  const isFloating = (kind === 'double' || kind === 'float') && Number.isFinite(Number(cell));
  return isFloating || (isNumberKind(kind) && fitsSpreadsheet(cell))
    ? `<c r="${place}"><v>${cell}</v></c>`
    : textCell(place, cell);
}

function textCell(place: string, text: string): string {
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, CELL_CHARACTERS))}</t></is></c>`;
}

/**
 * Escapes text for XML, which has no control characters: spreadsheets write their codes, and the underscore of text
 * that looks like one (ECMA-376, 22.9.2.19).
 */
function escaped(text: string): string {
  return text
    .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[[\p{Cc}\uFFFE\uFFFF]--[\t\n]]+/gv, codesOf)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Codes of control characters that were used: many, one by one, take as long as a thousand rows. */
const CODES = new Map<number, string>();

function codesOf(letters: string): string {
  let codes = '';
  for (let at = 0; at < letters.length; at++) {
    const letter = letters.charCodeAt(at);
    let code = CODES.get(letter);
    if (code === undefined) {
      code = `_x${letter.toString(16).toUpperCase().padStart(4, '0')}_`;
      CODES.set(letter, code);
    }
    codes += code;
  }
  return codes;
}
