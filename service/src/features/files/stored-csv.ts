import { type CsvReading, readCsv } from '../../platform/csv/csv.ts';

/** Reads a file that was taken in. Earlier versions also took one whose last quote was never closed. */
export function storedCsv(source: string): Extract<CsvReading, { kind: 'csv' }> {
  const reading = readCsv(source);
  if (reading.kind === 'csv') return reading;
  const closed = readCsv(`${source}"`);
  if (closed.kind === 'malformed') throw new Error(`A stored file cannot be read again: ${closed.message}`);
  return closed;
}
