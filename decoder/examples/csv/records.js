const SEPARATORS = new Set([',', ';', '\t']);

/**
 * Yields the records of a CSV file (RFC 4180) as they are read. The first comma, semicolon or tab decides the
 * separator.
 */
export async function* recordsOf(file) {
  let separator;
  let record = [];
  let field = '';
  let isQuoted = false;
  let wasQuoted = false;
  for await (const text of file.stream().pipeThrough(new TextDecoderStream())) {
    for (const character of text) {
      if (isQuoted) {
        if (character === '"') isQuoted = false;
        else field += character;
        wasQuoted = !isQuoted;
        continue;
      }
      if (character === '"') {
        // Twice within quotes: one that belongs to the text.
        if (wasQuoted) field += character;
        isQuoted = true;
      } else if (SEPARATORS.has(character) && character === (separator ??= character)) {
        record.push(field);
        field = '';
      } else if (character === '\n') {
        yield [...record, field];
        record = [];
        field = '';
      } else if (character !== '\r') field += character;
      wasQuoted = false;
    }
  }
  if (record.length > 0 || field !== '') yield [...record, field];
}

/** A record as a line. */
export function lineOf(fields) {
  return `${fields.map((field) => (/[",;\t\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')}\n`;
}
