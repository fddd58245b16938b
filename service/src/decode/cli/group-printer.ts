import { type Decoder, type Hints, readVin, segmentsOf, type SharedReport } from '@marque/decoder';
import { readVinCell } from '@marque/catalog/cells';

import type { Column } from '../../kernel/csv/csv.ts';
import { valueOf } from '../../kernel/csv/kinds.ts';
import { type GroupWriter, groupWriter, type ParquetValue } from '../../kernel/csv/parquet.ts';
import { plainCellsOf, VARYING_SEGMENTS } from '../../report/index.ts';
import type { PrintedBlock, Printing, TableForm } from './block.ts';
import { hintsOfRows } from './candidates.ts';
import { ADDED_COLUMNS, decodeText, fieldsOf } from './result.ts';

const VARYING_PLACES = VARYING_SEGMENTS.map((name) => ({ name, place: ADDED_COLUMNS.indexOf(name) }));

/** Decodes rows into row groups of a file of Parquet. */
export class GroupPrinter {
  readonly #decoder: Decoder;
  readonly #printing: Printing;
  readonly #own: readonly Column[];
  readonly #added: readonly Column[];
  readonly #read: typeof readVin;
  readonly #write: GroupWriter;
  /** The values that a report gives, so that they are made once. */
  readonly #known = new WeakMap<SharedReport, readonly ParquetValue[]>();

  private constructor(decoder: Decoder, printing: Printing, columns: readonly Column[], write: GroupWriter) {
    this.#decoder = decoder;
    this.#printing = printing;
    const own = columns.length - ADDED_COLUMNS.length;
    this.#own = columns.slice(0, own);
    this.#added = columns.slice(own);
    this.#read = printing.isFile ? readVinCell : readVin;
    this.#write = write;
  }

  /** Returns what writes the columns of this printing; undefined if it does not write Parquet. */
  static async of(decoder: Decoder, printing: Printing): Promise<GroupPrinter | undefined> {
    const { parquet } = printing;
    return parquet && new GroupPrinter(decoder, printing, parquet, await groupWriter());
  }

  /** @param table undefined: the rows are those of a list, and have a text each, in whose place the VIN is written. */
  print(rows: readonly string[][], table?: TableForm): PrintedBlock {
    const count = { decoded: 0, refused: 0 };
    const { view, hints } = this.#printing;
    const hintsOf = view === 'candidates' ? hintsOfRows(table?.header ?? [], hints) : undefined;
    const data = [...this.#own, ...this.#added].map((): ParquetValue[] => []);
    let fault: string | undefined;
    for (const row of rows) {
      fault = faultOf(row, this.#own.length);
      if (fault !== undefined) break;
      const { vin, values } = this.#decode(row[table?.column ?? 0] ?? '', hintsOf?.(row));
      count[vin === undefined ? 'refused' : 'decoded'] += 1;
      const first = table === undefined && vin !== undefined ? [vin] : row;
      for (const [place, { kind }] of this.#own.entries()) data[place]?.push(valueOf(first[place] ?? '', kind));
      for (const [place, value] of values.entries()) data[this.#own.length + place]?.push(value);
    }
    const isEmpty = count.decoded + count.refused === 0;
    const written = isEmpty ? { bytes: new Uint8Array() } : this.#write([...this.#own, ...this.#added], data);
    return { ...count, ...written, ...(fault === undefined ? {} : { fault }) };
  }

  /** Returns the values that a row gets. `vin`: undefined: it has none. */
  #decode(cell: string, hints: Hints | undefined): { vin?: string; values: readonly ParquetValue[] } {
    if (hints !== undefined) {
      const result = decodeText(this.#decoder, cell, 'candidates', { hints, read: this.#read });
      const values = this.#valuesOf(fieldsOf(result));
      return result.kind === 'error' ? { values } : { vin: cell, values };
    }
    const form = this.#read(cell);
    if (form.kind !== 'vin') return { values: this.#valuesOf({ error: form.message }) };
    const shared = this.#decoder.shared(form.vin);
    let known = this.#known.get(shared);
    if (known === undefined) this.#known.set(shared, (known = this.#valuesOf(shared.for(form.vin))));
    const values = [...known];
    const segments = segmentsOf(form.vin);
    for (const { name, place } of VARYING_PLACES) values[place] = segments[name];
    return { vin: form.vin, values };
  }

  #valuesOf(report: object): ParquetValue[] {
    const cells = plainCellsOf(report, ADDED_COLUMNS);
    return cells.map((cell, place) => valueOf(cell, this.#added[place]?.kind ?? 'text'));
  }
}

/** Says why a row cannot be written: Parquet has no cells beyond its columns. */
function faultOf(row: readonly string[], columns: number): string | undefined {
  const place = row.findIndex((cell, index) => index >= columns && cell !== '');
  return place === -1
    ? undefined
    : `A row has a cell in column ${place + 1}, and the first rows have ${columns} columns. Name every column, or write CSV.`;
}
