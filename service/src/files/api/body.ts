import { HttpError } from '../../kernel/http/http-error.ts';

/** The formats of a job's body. */
export interface JobBody {
  /** A table as text, or a workbook or Parquet file, under the name that says which. */
  sent: { kind: 'text'; text: string } | { kind: 'file'; name: string; bytes: Buffer };
  /** Its column of VINs; empty: detected. */
  column: string;
}

const SHAPE = 'Send {"vins": ["…"]}, a VIN on each line, CSV, .xlsx, or Parquet.';

/**
 * Reads a list of VINs. Each is on its own line, so that results are in the order of the request.
 *
 * @throws HttpError 400 when it is not one.
 */
export function jobOfList(vins: unknown): JobBody {
  if (!Array.isArray(vins) || vins.length === 0) throw new HttpError(400, `vins is missing. ${SHAPE}`);
  const cells = vins.map((vin: unknown, index) => {
    if (typeof vin !== 'string' || vin.trim() === '') {
      throw new HttpError(400, `VIN number ${index + 1} is empty or not a string.`);
    }
    return cellOf(vin);
  });
  return { sent: { kind: 'text', text: `vin\n"${cells.join('"\n"')}"\n` }, column: 'vin' };
}

/** What fits between quotes. A hundred thousand are read in one turn of the event loop: looking first takes half the time. */
function cellOf(text: string): string {
  if (text.length <= LONGEST && !/["\r\n]/.test(text)) return text;
  return text.slice(0, LONGEST).replace(/["\r\n]/g, ' ');
}

/** A longer text cannot be a VIN. */
const LONGEST = 64;

/** Reads lines of JSON: texts, or objects with a VIN. */
export function jobOfLines(body: string): JobBody {
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  return jobOfList(lines.map((line, index) => vinIn(line, index + 1)));
}

function vinIn(line: string, number: number): unknown {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'vin' in value ? value.vin : value;
  } catch {
    throw new HttpError(400, `Line ${number} is not JSON. ${SHAPE}`);
  }
}
