import type { Container, Section } from '../catalog/container.ts';

/** Columns of a WMI with numbers of strings. */
const TEXTS = ['code', 'make', 'country', 'vehicleType', 'source'] as const;

/** Returns the WMIs of a catalog and an overlay, each with the layouts of both. */
export function linkWmis(
  base: Container,
  overlay: Container,
  layouts: Uint32Array,
  number: (string: number) => number,
): Map<string, Section> {
  const codes = [...base.u32('wmi.code')];
  const places = new Map(codes.map((code, index) => [code, index]));
  const of = layoutsByWmi(base);
  const added: number[] = [];
  for (const [index, own] of layoutsByWmi(overlay).entries()) {
    const code = number(overlay.u32('wmi.code')[index] as number);
    let place = places.get(code);
    if (place === undefined) {
      place = of.length;
      of.push([]);
      added.push(index);
    }
    for (const layout of own) {
      const linked = layouts[layout] as number;
      if (!of[place]?.includes(linked)) of[place]?.push(linked);
    }
  }
  const sections = new Map<string, Section>();
  for (const name of TEXTS) {
    const column = overlay.u32(`wmi.${name}`);
    const own = added.map((index) => number(column[index] as number));
    sections.set(`wmi.${name}`, Uint32Array.from([...base.u32(`wmi.${name}`), ...own]));
  }
  // WMIs of an overlay are of one make each.
  sections.set('wmi.makes', Uint32Array.from([...base.u32('wmi.makes'), ...added.map(() => 0)]));
  const shared = overlay.u8('wmi.shared');
  sections.set('wmi.shared', Uint8Array.from([...base.u8('wmi.shared'), ...added.map((index) => shared[index] ?? 0)]));
  let end = 0;
  sections.set('wmi.profileStart', Uint32Array.from([0, ...of.map(({ length }) => (end += length))]));
  sections.set('wmi.profiles', Uint16Array.from(of.flat()));
  return sections;
}

function layoutsByWmi(container: Container): number[][] {
  const starts = container.u32('wmi.profileStart');
  const layouts = container.u16('wmi.profiles');
  return Array.from(starts.subarray(1), (end, index) => Array.from(layouts.subarray(starts[index], end)));
}
