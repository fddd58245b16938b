import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Styles of cells, by number: plain, a day, a day with its time, a time. */
const STYLES = `<styleSheet xmlns="${MAIN}"><cellXfs>${[0, 14, 22, 20].map((format) => `<xf numFmtId="${format}"/>`).join('')}</cellXfs></styleSheet>`;

/** The cells of a sheet, row by row, as its XML has them: `<c r="A1" …>`. */
type SheetXml = readonly (readonly string[])[];

/** Returns a cell of text. */
export function textCell(place: string, text: string): string {
  return `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
}

/** Returns a workbook as other programs make it. */
export function workbookFile(...sheets: readonly SheetXml[]): Promise<Uint8Array<ArrayBuffer>> {
  return workbookWith({}, ...sheets);
}

/** Returns a workbook with parts of its own. */
export function workbookWith(
  own: Readonly<Record<string, string>>,
  ...sheets: readonly SheetXml[]
): Promise<Uint8Array<ArrayBuffer>> {
  const numbers = sheets.map((_, index) => index + 1);
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbers.map((n) => `<sheet name="S${n}" sheetId="${n}" r:id="rId${n}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}">${numbers.map((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`).join('')}<Relationship Id="rId0" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rIdT" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/styles.xml': STYLES,
  };
  for (const [index, rows] of sheets.entries()) {
    const lines = rows.map((cells, line) => `<row r="${line + 1}">${cells.join('')}</row>`);
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
  }
  return zipOf({ ...parts, ...own });
}

/** Returns a zip archive of texts, by name. */
export async function zipOf(parts: Readonly<Record<string, string>>): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}
