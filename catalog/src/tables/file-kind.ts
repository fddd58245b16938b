/** The kind of a file by its first bytes; `refused`: another kind than a table, and the remedy, to follow "is". */
export type FileKind = { kind: 'text' | 'zip' | 'parquet' } | { kind: 'refused'; what: string };

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const PARQUET = [0x50, 0x41, 0x52, 0x31];

/** The first bytes of files that people send for tables. */
const OTHERS: readonly { begins: readonly (readonly number[])[]; what: string }[] = [
  {
    begins: [[0xd0, 0xcf, 0x11, 0xe0]],
    what: 'an old workbook (.xls), or one with a password. Save it as .xlsx or CSV, without a password',
  },
  { begins: [[0x09, 0x08, 0x08, 0x00]], what: 'a workbook of Excel 5 or older. Save it as .xlsx or CSV' },
  {
    // The file, its stream, and the older Feather.
    begins: [bytesOf('ARROW1'), [0xff, 0xff, 0xff, 0xff], bytesOf('FEA1')],
    what: 'an Arrow or Feather file. Write the table as Parquet: to_parquet in pandas, write_parquet in Polars and R',
  },
  {
    begins: [
      [0x1f, 0x8b],
      [0x28, 0xb5, 0x2f, 0xfd],
      bytesOf('BZh'),
      [0xfd, 0x37, 0x7a, 0x58, 0x5a],
      bytesOf('7z\xBC\xAF'),
    ],
    what: 'a compressed file. Unpack it, and send the CSV, .xlsx, or Parquet file that is in it',
  },
  { begins: [bytesOf('%PDF')], what: 'a PDF document. Save the table as CSV or .xlsx' },
  { begins: [bytesOf('SQLite format 3')], what: 'an SQLite database. Export the table as CSV' },
  { begins: [bytesOf('{\\rtf')], what: 'a text document. Save the table as CSV or .xlsx' },
  {
    begins: [
      [0xff, 0xfe, 0, 0],
      [0, 0, 0xfe, 0xff],
    ],
    what: 'a text in UTF-32. Save it as UTF-8',
  },
];

/** Texts that are not tables, by their beginnings. */
const TEXTS: readonly { begins: RegExp; what: string }[] = [
  {
    begins: /^\s*<(?:[!?]|[a-z][\w:-]*[\s/>])/i,
    what: 'a page or XML, which some programs name .xls. Open it in a spreadsheet program, and save it as .xlsx or CSV',
  },
  {
    begins: /^\s*\[\s*(?:[{[]|"[^"]*"\s*[,\]]|\])/,
    what: 'a JSON list. Write one object or one VIN on each line, for example with jq -c ".[]"',
  },
  {
    // Its first line is not a whole object: the brace alone, or fields of which more follow.
    begins: /^\s*\{(?:\s*[\r\n]\s*"[^"\r\n]*"\s*:|[ \t]*"[^"\r\n]*"[ \t]*:[^\r\n]*[,{[][ \t]*[\r\n])/,
    what: 'JSON with an object over several lines. Write one object or one VIN on each line, for example with jq -c "."',
  },
  {
    // A CSV may begin with ID;Plate.
    begins: /^(?:ID;P[^;\r\n]*(?:;[A-Z])*(?:$|\r?\n[A-Z]{1,2};)|TABLE\r?\n0,1\r?\n)/,
    what: 'a SYLK or DIF file. Open it in a spreadsheet program, and save it as .xlsx or CSV',
  },
];

/** The number of bytes from which the kind of a text is recognized. */
const LOOKED_AT = 1_024;

/** Returns the kind of a file by its first bytes, regardless of its name and its media type. Pure. */
export function kindOfFile(bytes: Uint8Array): FileKind {
  const begins = (start: readonly number[]): boolean => start.every((byte, index) => bytes[index] === byte);
  if (begins(ZIP)) return { kind: 'zip' };
  if (begins(PARQUET)) return { kind: 'parquet' };
  const other = OTHERS.find((each) => each.begins.some(begins));
  if (other !== undefined) return { kind: 'refused', what: other.what };
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, LOOKED_AT)).replace(/^\u00EF\u00BB\u00BF/, '');
  const known = TEXTS.find((each) => each.begins.test(text));
  return known === undefined ? { kind: 'text' } : { kind: 'refused', what: known.what };
}

function bytesOf(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}
