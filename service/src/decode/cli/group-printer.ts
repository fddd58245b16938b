import { type Decoder, type Hints, readVin, segmentsOf, type SharedReport } from '@marque/decoder';
import { readVinCell } from '@marque/catalog/cells';
import type { Row } from '@marque/catalog/tables';

import type { Column } from '../../kernel/csv/csv.ts';
import { valueOf } from '../../kernel/csv/cells.ts';
import { type ColumnValues, type GroupWriter, groupWriter, type WrittenGroup } from '../../kernel/csv/parquet.ts';
import { type ParquetValue, ValueList } from '../../kernel/csv/parquet-values.ts';
import { plainCellsOf, VARYING_SEGMENTS } from '../../report/index.ts';
import type { PrintedBlock, Printing, TableForm } from './block.ts';
import { hintsOfRows } from './candidates.ts';
import { ADDED_COLUMNS, decodeText, fieldsOf } from './result.ts';

const VARYING_PLACES = VARYING_SEGMENTS.map((name) => ({ name, place: ADDED_COLUMNS.indexOf(name) }));

/** Places of the columns that VARYING_PLACES has, with their places there. */
const VARYING = new Map(VARYING_PLACES.map(({ place }, index) => [place, index]));

/** Values of a column that are kept: messages about cells may all differ. */
const MOST_KEPT = 50_000;

/** The values that a row gets: the numbers of those that come again and again, and those of `VARYING_PLACES`. */
interface AddedValues {
  /** Undefined: it has none. */
  vin: string | undefined;
  numbers: Uint32Array;
  varying: readonly ParquetValue[];
}

/** Decodes rows into row groups of a file of Parquet. */
export class GroupPrinter {
  readonly #decoder: Decoder;
  readonly #printing: Printing;
  readonly #own: readonly Column[];
  readonly #added: readonly Column[];
  readonly #read: typeof readVin;
  readonly #write: GroupWriter;
  /** The values that added columns have had, so that each is encoded once in a row group. */
  #lists: readonly ValueList[] = [];
  /** The numbers of the values that a report gives. */
  #known = new WeakMap<SharedReport, Uint32Array>();

  private constructor(decoder: Decoder, printing: Printing, columns: readonly Column[], write: GroupWriter) {
    this.#decoder = decoder;
    this.#printing = printing;
    const own = columns.length - ADDED_COLUMNS.length;
    this.#own = columns.slice(0, own);
    this.#added = columns.slice(own);
    this.#read = printing.isFile ? readVinCell : readVin;
    this.#write = write;
    this.#forget();
  }

  /** Returns what writes the columns of this printing; undefined if it does not write Parquet. */
  static async of(decoder: Decoder, printing: Printing): Promise<GroupPrinter | undefined> {
    const { parquet } = printing;
    return parquet && new GroupPrinter(decoder, printing, parquet, await groupWriter());
  }

  /** @param table undefined: the rows are those of a list, and have a text each, in whose place the VIN is written. */
  print(rows: readonly Row[], table?: TableForm): PrintedBlock {
    const count = { decoded: 0, refused: 0 };
    const { view, hints } = this.#printing;
    const hintsOf = view === 'candidates' ? hintsOfRows(table?.header ?? [], hints) : undefined;
    const own = this.#own.map((): ParquetValue[] => []);
    const added: AddedValues[] = [];
    let fault: string | undefined;
    for (const { line, cells } of rows) {
      const cell = cells[table?.column ?? 0] ?? '';
      fault = faultOf(cells, this.#own.length, line);
      if (fault !== undefined) break;
      const values = this.#decode(cell, hintsOf?.(cells));
      const { vin } = values;
      count[vin === undefined ? 'refused' : 'decoded'] += 1;
      const first = table === undefined && vin !== undefined ? [vin] : cells;
      for (const [place, { kind }] of this.#own.entries()) own[place]?.push(valueOf(first[place] ?? '', kind));
      added.push(values);
    }
    const written = added.length === 0 ? { bytes: new Uint8Array() } : this.#written(own, added);
    if (this.#lists.some(({ values }) => values.length > MOST_KEPT)) this.#forget();
    return { ...count, ...written, ...(fault === undefined ? {} : { fault }) };
  }

  #written(own: readonly ParquetValue[][], added: readonly AddedValues[]): WrittenGroup {
    const data = this.#lists.map((list, place): ColumnValues => {
      const varying = VARYING.get(place);
      if (varying !== undefined) return added.map((row) => row.varying[varying] ?? null);
      const numbers = new Uint32Array(added.length);
      for (let row = 0; row < numbers.length; row++) numbers[row] = added[row]?.numbers[place] ?? 0;
      return { list, numbers };
    });
    return this.#write([...this.#own, ...this.#added], [...own, ...data], added.length);
  }

  #decode(cell: string, hints: Hints | undefined): AddedValues {
    if (hints !== undefined) {
      const result = decodeText(this.#decoder, cell, 'candidates', { hints, read: this.#read });
      return this.#valuesOf(fieldsOf(result), result.kind === 'error' ? undefined : cell);
    }
    const form = this.#read(cell);
    if (form.kind !== 'vin') return this.#valuesOf({ error: form.message });
    const { vin } = form;
    const shared = this.#decoder.shared(vin);
    let numbers = this.#known.get(shared);
    if (numbers === undefined) this.#known.set(shared, (numbers = this.#valuesOf(shared.for(vin)).numbers));
    const segments = segmentsOf(vin);
    return { vin, numbers, varying: VARYING_PLACES.map(({ name }) => segments[name]) };
  }

  #valuesOf(report: object, vin?: string): AddedValues {
    const cells = plainCellsOf(report, ADDED_COLUMNS);
    const numbers = new Uint32Array(cells.length);
    for (const [place, list] of this.#lists.entries()) {
      if (!VARYING.has(place))
        numbers[place] = list.numberOf(valueOf(cells[place] ?? '', this.#added[place]?.kind ?? 'text'));
    }
    return { vin, numbers, varying: VARYING_PLACES.map(({ place }) => cells[place] || null) };
  }

  #forget(): void {
    this.#lists = this.#added.map(() => new ValueList());
    this.#known = new WeakMap();
  }
}

/** Says why a row cannot be written: Parquet has no cells beyond its columns. */
function faultOf(row: readonly string[], columns: number, line: number): string | undefined {
  const place = row.findIndex((cell, index) => index >= columns && cell !== '');
  return place === -1
    ? undefined
    : `Row ${line} has a cell in column ${place + 1}, and the first rows have ${columns} columns. Name every column, or write CSV.`;
}
