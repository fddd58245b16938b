/**
 * Reads CSV with a header line: fields may be quoted, quotes doubled, and hold line breaks (RFC 4180).
 * @throws Error naming the line whose number of fields differs from the header's.
 */
export function parseCsv(text: string): Record<string, string>[] {
  const [header, ...lines] = records(text);
  if (header === undefined) return [];
  return lines.map((fields, index) => {
    if (fields.length !== header.length) {
      throw new Error(`CSV record ${index + 2} has ${fields.length} fields; the header has ${header.length}.`);
    }
    return Object.fromEntries(header.map((name, column) => [name, fields[column] ?? '']));
  });
}

function records(text: string): string[][] {
  const found: string[][] = [];
  let fields: string[] = [];
  // A field: quoted with doubled quotes, or bare; then what ends it.
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) throw new Error(`CSV: a stray quote at character ${at}.`);
    fields.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] === ',') continue;
    if (fields.length > 1 || fields[0] !== '') found.push(fields);
    fields = [];
  }
  return found;
}
