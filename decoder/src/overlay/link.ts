import type { Container, Section } from '../catalog/container.ts';
import { Strings } from '../catalog/strings.ts';
import { linkedPositionSections } from '../decode/positions.ts';
import { linkRegisters } from './link-registers.ts';
import { linkWmis } from './link-wmis.ts';
import { linkWorld } from './link-world.ts';
import { joined } from './sections.ts';

/**
 * Returns a catalog with the rows of an overlay added: rows of layouts that the catalog has, and layouts of its own.
 * The overlay knows neither numbers nor places of the catalog's, so it fits any catalog.
 */
export function linkOverlay(base: Container, overlay: Container): Container {
  const { number, sections } = linkStrings(base, overlay);
  const world = linkWorld(base, overlay, number);
  const wmis = linkWmis(base, overlay, world.layouts, number);
  const linked = base.with(
    metaOf(base, overlay, world.added),
    new Map([...sections, ...world.sections, ...wmis, ...linkRegisters(overlay, number)]),
  );
  return linked.with(linked.meta, new Map(linkedPositionSections(base, linked, new Set(world.layouts))));
}

/** Numbers the strings of both. A common text keeps the catalog's number: values are compared by it. */
function linkStrings(base: Container, overlay: Container) {
  const own = new Strings(overlay);
  const { count } = new Strings(base);
  const texts = Array.from({ length: own.count }, (_, id) => own.get(id));
  const known = new Strings(base).numbersOf(texts);
  const numbers = Uint32Array.from(texts, (text, id) => known.get(text) ?? count + id);
  const sections = new Map<string, Section>(
    ['strings.lengths', 'strings.bytes'].map((name) => [name, joined(base.u8(name), overlay.u8(name))]),
  );
  return { number: (id: number): number => numbers[id] as number, sections };
}

function metaOf(base: Container, overlay: Container, layouts: number): Container['meta'] {
  const sources = [base, overlay].flatMap(({ meta }) => JSON.parse(String(meta['sources'] ?? '[]')) as unknown[]);
  return {
    ...base.meta,
    catalogFacts: base.meta['catalogFacts'] ?? base.u16('world.fact.from').length,
    catalogLayouts: base.meta['catalogLayouts'] ?? base.u32('world.profile.id').length,
    catalogWmis: base.meta['catalogWmis'] ?? base.u32('wmi.code').length,
    hash: mixed(String(base.meta['hash'] ?? ''), String(overlay.meta['hash'] ?? '')),
    worldProfiles: Number(base.meta['worldProfiles'] ?? 0) + layouts,
    registerRows: Number(base.meta['registerRows'] ?? 0) + Number(overlay.meta['registerRows'] ?? 0),
    worldRows: Number(base.meta['worldRows'] ?? 0) + Number(overlay.meta['worldRows'] ?? 0),
    sources: JSON.stringify(sources),
  };
}

/** Combines two hexadecimal hashes: another overlay, or another catalog, gives another. */
function mixed(a: string, b: string): string {
  const digits = Array.from(
    { length: Math.max(a.length, b.length) },
    (_, index) => digitAt(a, index) ^ digitAt(b, index),
  );
  return digits.map((digit) => digit.toString(16)).join('');
}

function digitAt(hash: string, index: number): number {
  return Number.parseInt(hash.charAt(index) || '0', 16);
}
