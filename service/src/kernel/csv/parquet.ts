import type { Column, Page } from './csv.ts';
import { elementOf, valueOf } from './kinds.ts';

/** The text of a row group, in characters: together with its rows this bounds the memory in use. */
const GROUP_CHARACTERS = 4_000_000;

/**
 * Yields a table as the bytes of a Parquet file, compressed with Snappy. Empty cells are null, and names that occur
 * twice get a number.
 *
 * @param groupRows rows of a row group: nothing else runs while one is written.
 */
export async function* parquetOf(
  columns: readonly Column[],
  pages: AsyncIterable<Page>,
  groupRows: number,
): AsyncGenerator<Uint8Array> {
  // Loaded with the first such file: a start of the service does not need it.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const bytes = new ByteWriter();
  const names = uniqueNames(columns);
  const table = columns.map(({ kind }, index) => ({ name: names[index] ?? '', kind }));
  const schema = [
    { name: 'root', num_children: table.length },
    ...table.map(({ name, kind }) => elementOf(name, kind)),
  ];
  const writer = new ParquetWriter({ writer: bytes, schema });
  const taken = (): Uint8Array => {
    const written = bytes.getBytes().slice();
    bytes.index = 0;
    return written;
  };
  let group: (readonly string[])[] = [];
  let characters = 0;
  const writeGroup = async (): Promise<Uint8Array> => {
    const rows = group;
    group = [];
    characters = 0;
    const columnData = table.map(({ name, kind }, index) => ({
      name,
      data: rows.map((row) => valueOf(row[index] ?? '', kind)),
    }));
    await writer.write({ columnData, rowGroupSize: rows.length });
    return taken();
  };
  for await (const page of pages) {
    for (const row of page) {
      group.push(row);
      characters += row.reduce((sum, cell) => sum + cell.length, 0);
      if (group.length >= groupRows || characters >= GROUP_CHARACTERS) yield await writeGroup();
    }
  }
  if (group.length > 0) yield await writeGroup();
  await writer.finish();
  yield taken();
}

/** Returns names of which each is unique: one that is empty or occurs twice gets a number. */
export function uniqueNames(columns: readonly Column[]): string[] {
  const names = columns.map(({ name }, index) => (name === '' ? `column ${index + 1}` : name));
  const [taken, used] = [new Set(names), new Set<string>()];
  return names.map((name) => {
    let unique = name;
    for (let number = 2; used.has(unique) || (unique !== name && taken.has(unique)); number++)
      unique = `${name} ${number}`;
    used.add(unique);
    return unique;
  });
}
