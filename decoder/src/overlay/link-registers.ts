import { APPROVAL_NUMBERS, APPROVAL_TEXTS } from '../approvals/columns.ts';
import type { Container, Section } from '../catalog/container.ts';

/** Numbers that one source has in its column: of its id, of its title, and its market. */
const SOURCE_WIDTH = 3;
const MARKET = 2;

/**
 * Links the patterns of registers, with the catalog's numbers of strings; returns no section if the overlay has none.
 */
export function linkRegisters(overlay: Container, number: (string: number) => number): Map<string, Section> {
  const sections = new Map<string, Section>();
  if (Number(overlay.meta['registerRows'] ?? 0) === 0) return sections;
  for (const name of ['group.wmi', 'group.start', 'start']) {
    sections.set(`registers.${name}`, overlay.u32(`registers.${name}`));
  }
  for (const name of ['codes', 'of']) sections.set(`registers.${name}`, overlay.u8(`registers.${name}`));
  for (const name of ['serialFrom', 'serialTo']) sections.set(`registers.${name}`, overlay.u32(`registers.${name}`));
  for (const name of ['bodies', 'yearFrom', 'yearTo', ...APPROVAL_NUMBERS]) {
    sections.set(`registers.${name}`, overlay.u16(`registers.${name}`));
  }
  for (const name of ['make', 'model', ...APPROVAL_TEXTS]) {
    sections.set(`registers.${name}`, overlay.u32(`registers.${name}`).map(number));
  }
  const sources = overlay.u32('registers.source');
  sections.set(
    'registers.source',
    sources.map((value, at) => (at % SOURCE_WIDTH === MARKET ? value : number(value))),
  );
  return sections;
}
