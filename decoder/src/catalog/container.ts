/**
 * The catalog file: a header in JSON that names the sections, then the sections themselves, flat and aligned to eight
 * bytes, so that opening means wrapping typed arrays around the bytes and nothing is parsed.
 *
 * The version rises when a released reader would misread a new file; older files are read, because overlays are stored.
 * A section that a reader merely lacks or does not know needs no new version: a missing one is an error, an unknown one
 * is ignored. 2: sources for the market "elsewhere", which the reader of version 1 would take for North American.
 */
export const FORMAT_VERSION = 2;

const MAGIC = 'MARQUE\u0000\u0001';
const ALIGNMENT = 8;

export type Section = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;
type SectionType = 'u8' | 'u16' | 'u32' | 'i32' | 'f64';

interface Header {
  formatVersion: number;
  meta: Record<string, string | number>;
  sections: [name: string, type: SectionType, offset: number, length: number][];
}

/** Thrown when bytes are not a catalog of this format version, or are cut short. */
export class CatalogFormatError extends Error {
  override name = 'CatalogFormatError';
}

/** Writes sections into the bytes of a catalog file; the same input gives the same bytes. */
export function writeContainer(
  meta: Readonly<Record<string, string | number>>,
  sections: ReadonlyMap<string, Section>,
): Uint8Array {
  const header: Header = { formatVersion: FORMAT_VERSION, meta, sections: [] };
  let offset = 0;
  for (const [name, section] of sections) {
    header.sections.push([name, typeOf(section), offset, section.length]);
    offset = align(offset + section.byteLength);
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const start = align(MAGIC.length + 4 + text.length);
  const bytes = new Uint8Array(start + offset);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, text.length, true);
  bytes.set(text, MAGIC.length + 4);
  let index = 0;
  for (const section of sections.values()) {
    const at = start + (header.sections[index]?.[2] ?? 0);
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at);
    index++;
  }
  return bytes;
}

/** An opened container: views on the bytes by name. */
export class Container {
  /** The version of the format that the file was written in. */
  readonly formatVersion: number;
  readonly meta: Readonly<Record<string, string | number>>;
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #sections = new Map<string, [type: SectionType, offset: number, length: number]>();
  readonly #replaced: ReadonlyMap<string, Section>;

  /**
   * @param replaced meta data and sections in place of those in the bytes
   * @throws CatalogFormatError when the bytes are not a catalog, of another version, or cut short.
   */
  constructor(bytes: Uint8Array, replaced?: { meta: Container['meta']; sections: ReadonlyMap<string, Section> }) {
    // Views need an aligned start, which a slice of a larger buffer may not have.
    this.#bytes = bytes.byteOffset % ALIGNMENT === 0 ? bytes : Uint8Array.from(bytes);
    const header = readHeader(this.#bytes);
    this.formatVersion = header.formatVersion;
    this.meta = replaced?.meta ?? header.meta;
    this.#replaced = replaced?.sections ?? new Map();
    this.#start = align(MAGIC.length + 4 + headerLength(this.#bytes));
    for (const [name, type, offset, length] of header.sections) {
      const end = this.#start + offset + length * WIDTH[type];
      if (end > this.#bytes.length) throw new CatalogFormatError('The catalog file is cut short. Build it again.');
      this.#sections.set(name, [type, offset, length]);
    }
  }

  /**
   * Returns the same container with other meta data and with some sections replaced; the rest of the bytes is shared.
   */
  with(meta: Container['meta'], sections: ReadonlyMap<string, Section>): Container {
    return new Container(this.#bytes, { meta, sections: new Map([...this.#replaced, ...sections]) });
  }

  u8(name: string): Uint8Array {
    const replaced = this.#replaced.get(name);
    if (replaced instanceof Uint8Array) return replaced;
    const [at, length] = this.#locate(name, 'u8');
    return new Uint8Array(this.#bytes.buffer, at, length);
  }

  u16(name: string): Uint16Array {
    const replaced = this.#replaced.get(name);
    if (replaced instanceof Uint16Array) return replaced;
    const [at, length] = this.#locate(name, 'u16');
    return new Uint16Array(this.#bytes.buffer, at, length);
  }

  u32(name: string): Uint32Array {
    const replaced = this.#replaced.get(name);
    if (replaced instanceof Uint32Array) return replaced;
    const [at, length] = this.#locate(name, 'u32');
    return new Uint32Array(this.#bytes.buffer, at, length);
  }

  i32(name: string): Int32Array {
    const replaced = this.#replaced.get(name);
    if (replaced instanceof Int32Array) return replaced;
    const [at, length] = this.#locate(name, 'i32');
    return new Int32Array(this.#bytes.buffer, at, length);
  }

  f64(name: string): Float64Array {
    const replaced = this.#replaced.get(name);
    if (replaced instanceof Float64Array) return replaced;
    const [at, length] = this.#locate(name, 'f64');
    return new Float64Array(this.#bytes.buffer, at, length);
  }

  /** Returns a column that is written as narrow as its largest number allows, written out. */
  narrow(name: string): Uint32Array {
    const replaced = this.#replaced.get(name);
    const type = replaced === undefined ? this.#sections.get(name)?.[0] : typeOf(replaced);
    if (type === 'u8') return Uint32Array.from(this.u8(name));
    return type === 'u16' ? Uint32Array.from(this.u16(name)) : this.u32(name);
  }

  /** Starts from a column of counts, with one more for the end. */
  starts(name: string): Uint32Array {
    const counts = this.narrow(name);
    const starts = new Uint32Array(counts.length + 1);
    let next = 0;
    for (let index = 0; index < counts.length; index++) {
      starts[index] = next;
      next += counts[index] as number;
    }
    starts[counts.length] = next;
    return starts;
  }

  /** Returns a column that is zero almost everywhere, written out to its length. */
  sparse(name: string, length: number): Uint32Array {
    const column = new Uint32Array(length);
    const at = this.u32(`${name}.at`);
    const is = this.u32(`${name}.is`);
    for (let index = 0; index < at.length; index++) column[at[index] as number] = is[index] as number;
    return column;
  }

  /** Returns a column of few distinct values, written out. */
  distinct(name: string): Uint32Array {
    const values = this.u32(`${name}.values`);
    const rows = this.u16(`${name}.rows`);
    const column = new Uint32Array(rows.length);
    for (let index = 0; index < rows.length; index++) column[index] = values[rows[index] as number] as number;
    return column;
  }

  #locate(name: string, type: SectionType): [at: number, length: number] {
    const found = this.#sections.get(name);
    if (found === undefined || found[0] !== type) {
      throw new CatalogFormatError(`The catalog file lacks the section ${name}. Build it again.`);
    }
    return [this.#bytes.byteOffset + this.#start + found[1], found[2]];
  }
}

const WIDTH: Readonly<Record<SectionType, number>> = { u8: 1, u16: 2, u32: 4, i32: 4, f64: 8 };

function typeOf(section: Section): SectionType {
  if (section instanceof Uint8Array) return 'u8';
  if (section instanceof Uint16Array) return 'u16';
  if (section instanceof Uint32Array) return 'u32';
  return section instanceof Int32Array ? 'i32' : 'f64';
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

function headerLength(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(MAGIC.length, true);
}

function readHeader(bytes: Uint8Array): Header {
  if (bytes.length < MAGIC.length + 4 || new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) {
    throw new CatalogFormatError('This is not a Marque catalog file.');
  }
  const length = headerLength(bytes);
  if (MAGIC.length + 4 + length > bytes.length) {
    throw new CatalogFormatError('The catalog file is cut short. Build it again.');
  }
  const text = new TextDecoder().decode(bytes.subarray(MAGIC.length + 4, MAGIC.length + 4 + length));
  const header = parsed(text);
  if (!(header.formatVersion <= FORMAT_VERSION)) {
    throw new CatalogFormatError(
      `The catalog file has format ${header.formatVersion}; this decoder reads formats up to ${FORMAT_VERSION}. Update the decoder, or build the file again.`,
    );
  }
  return header;
}

function parsed(text: string): Header {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch (cause) {
    throw new CatalogFormatError('The header of the catalog file is damaged. Build it again.', { cause });
  }
  const isHeader =
    typeof header === 'object' && header !== null && 'sections' in header && Array.isArray(header.sections);
  if (!isHeader) throw new CatalogFormatError('The header of the catalog file is damaged. Build it again.');
  return header as Header;
}
