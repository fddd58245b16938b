import type { Container } from '../catalog/container.ts';
import type { Strings } from '../catalog/strings.ts';
import { characterOf, shortCode } from '../vin/characters.ts';
import { MASK_ANY, APPROVAL_NUMBERS, type ApprovalNumber, type ApprovalSections } from './columns.ts';

const POSITIONS = 17;

/** Type approvals by mask over the VIN; see catalog/src/approvals/compile.ts, which writes them. */
export class ApprovalTables {
  /** Mask number to its first row; the next mask's first row ends it. */
  readonly start: Uint32Array;
  readonly make: Uint32Array;
  readonly model: Uint32Array;
  readonly fuel: Uint32Array;
  readonly drive: Uint32Array;
  readonly gearbox: Uint32Array;
  readonly emissions: Uint32Array;
  /** Bits of the bodies that the source's word may mean, by their places in BODY_STYLES; 0 = any. */
  readonly bodies: Uint16Array;
  readonly of: Uint8Array;
  readonly numbers: Readonly<Record<ApprovalNumber, Uint16Array>>;
  /** Ranges of model years (0: unknown) and of serial numbers (0: all) of the rows of registers. */
  readonly bounds: Readonly<
    Record<'yearFrom' | 'yearTo', Uint16Array> & Record<'serialFrom' | 'serialTo', Uint32Array>
  >;
  readonly #source: Uint32Array;
  readonly #groupWmi: Uint32Array;
  readonly #groupStart: Uint32Array;
  readonly #codes: Uint8Array;
  readonly #strings: Strings;

  constructor(container: Container, strings: Strings, sections: ApprovalSections = 'approvals') {
    this.#strings = strings;
    this.#source = container.u32(`${sections}.source`);
    this.#groupWmi = container.u32(`${sections}.group.wmi`);
    this.#groupStart = container.u32(`${sections}.group.start`);
    this.#codes = container.u8(`${sections}.codes`);
    this.start = container.u32(`${sections}.start`);
    this.make = container.u32(`${sections}.make`);
    this.model = container.u32(`${sections}.model`);
    this.fuel = container.u32(`${sections}.fuel`);
    this.drive = container.u32(`${sections}.drive`);
    this.gearbox = container.u32(`${sections}.gearbox`);
    this.emissions = container.u32(`${sections}.emissions`);
    this.bodies = container.u16(`${sections}.bodies`);
    this.of = container.u8(`${sections}.of`);
    this.numbers = Object.fromEntries(
      APPROVAL_NUMBERS.map((name) => [name, container.u16(`${sections}.${name}`)]),
    ) as ApprovalTables['numbers'];
    const isBounded = sections === 'registers';
    const u16 = (name: string): Uint16Array => (isBounded ? container.u16(`registers.${name}`) : new Uint16Array());
    const u32 = (name: string): Uint32Array => (isBounded ? container.u32(`registers.${name}`) : new Uint32Array());
    this.bounds = {
      yearFrom: u16('yearFrom'),
      yearTo: u16('yearTo'),
      serialFrom: u32('serialFrom'),
      serialTo: u32('serialTo'),
    };
  }

  get isEmpty(): boolean {
    return this.#groupWmi.length === 0;
  }

  /** Returns the masks that a VIN matches: one search for each set of positions that masks of its maker fix. */
  find(codes: Uint8Array): number[] {
    const found: number[] = [];
    const wmi = shortCode(codes);
    for (let group = this.#firstGroup(wmi); this.#groupWmi[group] === wmi; group++) {
      const mask = this.#search(this.#groupStart[group] as number, this.#groupStart[group + 1] as number, codes);
      if (mask >= 0) found.push(mask);
    }
    return found;
  }

  /**
   * Visits all masks with their packed WMI, the positions that they fix, counted from 0, a bit for each, and the makes
   * of their rows.
   */
  eachMask(visit: (wmi: number, positions: number, make: number) => void): void {
    for (const [group, wmi] of this.#groupWmi.entries()) {
      const end = this.#groupStart[group + 1] as number;
      for (let mask = this.#groupStart[group] as number; mask < end; mask++) {
        let positions = 0;
        for (let place = 0; place < POSITIONS; place++) {
          if (this.#codes[mask * POSITIONS + place] !== MASK_ANY) positions |= 1 << place;
        }
        for (let row = this.start[mask] as number; row < (this.start[mask + 1] as number); row++) {
          visit(wmi, positions, this.make[row] as number);
        }
      }
    }
  }

  /** Counts the positions that a mask fixes. */
  fixed(mask: number): number {
    let fixed = 0;
    for (let at = mask * POSITIONS; at < (mask + 1) * POSITIONS; at++) if (this.#codes[at] !== MASK_ANY) fixed++;
    return fixed;
  }

  /** Returns the mask as people write it: "VF3LBYHYP........". */
  text(mask: number): string {
    const codes = this.#codes.subarray(mask * POSITIONS, (mask + 1) * POSITIONS);
    return Array.from(codes, (code) => (code === MASK_ANY ? '.' : characterOf(code))).join('');
  }

  word(id: number): string {
    return this.#strings.get(id);
  }

  /** Returns the title of the source of a row. */
  title(row: number): string {
    return this.#strings.get(this.#source[(this.of[row] as number) * 3 + 1] ?? 0);
  }

  #firstGroup(wmi: number): number {
    let low = 0;
    let high = this.#groupWmi.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#groupWmi[middle] as number) < wmi) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #search(start: number, end: number, codes: Uint8Array): number {
    let low = start;
    let high = end - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(middle, codes);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #compare(mask: number, codes: Uint8Array): number {
    const at = mask * POSITIONS;
    for (let position = 3; position < POSITIONS; position++) {
      const code = this.#codes[at + position] as number;
      if (code !== MASK_ANY && code !== codes[position]) return code - (codes[position] as number);
    }
    return 0;
  }
}
