import { CAR_REGISTERS, type CarRegisterName, REGISTERS } from '../../sources/registers/index.ts';
import { locate, type Register, SEVERAL } from '../../sources/registers/register.ts';
import { TableError, type Watch } from '../../sources/specs/open-table.ts';
import { readLines, type TableLine } from '../../sources/specs/records.ts';
import { readXmlRecords } from '../../sources/specs/xml-records.ts';

/** A record of a register: the text of each declared column, and no others. */
export interface Cells {
  line: number;
  text: (column: string) => string;
  /** The reason why it is not one, in words. */
  fault?: string;
}

/**
 * Streams the records of a register's file.
 *
 * @param done so many records are passed over: they were read before
 * @throws TableError where the file is another one, or is damaged.
 */
export async function* cellsOf(name: CarRegisterName, file: string, watch: Watch, done: number): AsyncGenerator<Cells> {
  const register: Register = CAR_REGISTERS[name];
  if (register.record !== undefined) {
    yield* byElement(register, register.record, file, watch, done);
    return;
  }
  let read = 0;
  const cells =
    register.layout === undefined
      ? byHeader(name, register, file, watch)
      : byWidth(register, register.layout, file, watch);
  for await (const record of cells) if (++read > done) yield record;
}

async function* byHeader(name: CarRegisterName, register: Register, file: string, watch: Watch): AsyncGenerator<Cells> {
  let places: ReadonlyMap<string, number> | undefined;
  let width = 0;
  for await (const { line, fields } of readLines(file, { ...register.format, isExact: true }, watch)) {
    if (places !== undefined) {
      const located = places;
      const text = (column: string): string => fields[located.get(column) ?? -1]?.trim() ?? '';
      const fault = widthFault(fields.length, width);
      yield fault === undefined ? { line, text } : { line, text, fault };
      continue;
    }
    const located = locate(register, fields);
    if (located.missing.length > 0) throw new TableError(strangeHeader(name, file, located.missing, { line, fields }));
    ({ places } = located);
    width = fields.length;
  }
  if (places === undefined) throw new TableError(`${file} is empty.`);
}

/**
 * Returns the fault of a line's width: extra fields shift others into wrong columns, and a line with too few is cut.
 */
function widthFault(fields: number, width: number): string | undefined {
  if (fields === width) return undefined;
  return fields > width ? 'more fields than the header has' : 'cut short: fewer fields than the header has';
}

async function* byWidth(
  register: Register,
  layout: NonNullable<Register['layout']>,
  file: string,
  watch: Watch,
): AsyncGenerator<Cells> {
  const { places } = locate(
    register,
    layout.map(([field]) => field),
  );
  let end = 0;
  const spans = layout.map(([, width]) => [end, (end += width)] as const);
  let records = 0;
  let whole = 0;
  for await (const { line, fields } of readLines(file, register.format, watch)) {
    const [record = ''] = fields;
    // The first line of a day's file names the last plate.
    if (line === 1 && record.length !== end) continue;
    records++;
    if (record.length === end) whole++;
    const text = (column: string): string => record.slice(...(spans[places.get(column) ?? -1] ?? [0, 0])).trim();
    yield record.length === end ? { line, text } : { line, text, fault: `not ${end} characters long` };
  }
  if (records === 0) throw new TableError(`${file} is empty.`);
  if (whole === 0) throw new TableError(`${file} is no file of ${register.title}: no line has ${end} characters.`);
}

async function* byElement(
  { columns }: Register,
  record: string,
  file: string,
  watch: Watch,
  done: number,
): AsyncGenerator<Cells> {
  const elements = new Set(Object.values(columns).flat());
  for await (const { line, texts } of readXmlRecords(file, { record, elements }, watch, done)) {
    const text = (column: string): string =>
      columns[column]?.flatMap((element) => texts.get(element) ?? []).join(SEVERAL) ?? '';
    yield { line, text };
  }
}

/**
 * Returns the refusal of a file that lacks columns: their names, and the register that it seems to be of. It names none
 * of the file's own columns: they may be about people.
 */
function strangeHeader(name: string, file: string, missing: readonly string[], { fields }: TableLine): string {
  const other = Object.entries<Register>({ ...REGISTERS, ...CAR_REGISTERS }).find(
    ([id, register]) =>
      id !== name &&
      register.layout === undefined &&
      register.record === undefined &&
      locate(register, fields).missing.length === 0,
  );
  const lacks = `${file} is no ${name} table: it lacks the columns ${missing.join(', ')}.`;
  if (other === undefined) return `${lacks} Its first line has ${fields.length} columns.`;
  return `${lacks} It seems to be of ${other[1].title}: import it as ${other[0]}.`;
}
