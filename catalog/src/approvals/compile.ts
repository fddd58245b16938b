import { BODY_STYLES } from '@marque/decoder';
import {
  APPROVAL_NUMBERS,
  type ApprovalSections,
  APPROVAL_TEXTS,
  MASK_ANY,
  SPEC_MARKETS,
} from '@marque/decoder/format';

import type { Sections } from '../binary/sections.ts';
import type { StringTable } from '../binary/string-table.ts';
import type { ApprovalRow } from './columns.ts';
import type { ApprovalSource } from './load.ts';

const CODES = 36;

type Sourced = ApprovalRow & { source: number };

/**
 * Compiles the tables of type approvals into the sections `approvals.*`, or those of registers into `registers.*`:
 * masks that begin alike and fix the same positions stand together in the order of their characters, so that a search
 * finds the one that a VIN matches; each with its rows.
 */
export function compileApprovals(
  sources: readonly ApprovalSource[],
  strings: StringTable,
  sections: Sections,
  into: ApprovalSections = 'approvals',
): void {
  const rows: Sourced[] = sources.flatMap((table, source) => table.rows.map((row) => Object.assign({ source }, row)));
  const byMask = Map.groupBy(rows, ({ mask }) => mask);
  const masks = [...byMask.keys()].map((mask) => ({ mask, group: groupOf(mask) })).toSorted(compareApprovals);
  const groups = Map.groupBy(masks, ({ group }) => group);
  const u32 = (name: string, values: Iterable<number>): void =>
    void sections.set(`${into}.${name}`, Uint32Array.from(values));
  u32(
    'source',
    sources.flatMap(({ id, title, market }) => [strings.id(id), strings.id(title), SPEC_MARKETS.indexOf(market)]),
  );
  u32('group.wmi', [...groups.keys()].map(wmiOf));
  u32('group.start', starts([...groups.values()].map((members) => members.length)));
  sections.set(
    `${into}.codes`,
    Uint8Array.from(
      masks.flatMap(({ mask }) => [...mask].map((c) => (c === '.' ? MASK_ANY : Number.parseInt(c, CODES)))),
    ),
  );
  const ordered = masks.map(({ mask }) => byMask.get(mask) ?? []);
  u32('start', starts(ordered.map((members) => members.length)));
  writeColumns(ordered.flat(), strings, sections, into);
}

function writeColumns(
  rows: readonly Sourced[],
  strings: StringTable,
  sections: Sections,
  into: ApprovalSections,
): void {
  for (const name of ['make', 'model', ...APPROVAL_TEXTS] as const) {
    sections.set(
      `${into}.${name}`,
      Uint32Array.from(rows, (row) => strings.id(row[name] ?? '')),
    );
  }
  for (const name of APPROVAL_NUMBERS) {
    sections.set(
      `${into}.${name}`,
      Uint16Array.from(rows, (row) => row[name] ?? 0),
    );
  }
  sections.set(
    `${into}.bodies`,
    Uint16Array.from(rows, ({ bodies = '' }) => bitsOf(bodies)),
  );
  if (into === 'registers') writeBounds(rows, sections);
  sections.set(
    `${into}.of`,
    Uint8Array.from(rows, ({ source }) => source),
  );
}

/** Writes columns that only registers have: years, and the range of serial numbers of a row; its end is exclusive. */
function writeBounds(rows: readonly Sourced[], sections: Sections): void {
  const years = rows.map(({ years: text = '0-0' }) => text.split('-').map(Number));
  const serials = rows.map(({ serials: text }) => text?.split('-').map((end) => Number.parseInt(end, CODES)));
  const [first, last] = [
    (pair: readonly number[] = []) => pair[0] ?? 0,
    (pair: readonly number[] = []) => pair[1] ?? 0,
  ];
  sections.set('registers.yearFrom', Uint16Array.from(years, first));
  sections.set('registers.yearTo', Uint16Array.from(years, last));
  sections.set('registers.serialFrom', Uint32Array.from(serials, first));
  sections.set(
    'registers.serialTo',
    Uint32Array.from(serials, (range) => (range === undefined ? 0 : last(range) + 1)),
  );
}

/** Returns bodies as bits, by their places in the list; none if the source has none. */
function bitsOf(bodies: string): number {
  const places = bodies.split('|').map((body) => BODY_STYLES.findIndex((style) => style === body));
  return places.reduce((bits, place) => (place > 0 ? bits | (1 << place) : bits), 0);
}

/** Returns the maker's characters and which positions are fixed. */
function groupOf(mask: string): string {
  return mask.slice(0, 3) + mask.slice(3).replaceAll(/[^.]/g, 'x');
}

function wmiOf(group: string): number {
  return Number.parseInt(group.slice(0, 3), CODES);
}

/** Orders by maker, then by the positions, then by the characters: digits come before letters in both orders. */
function compareApprovals(a: { mask: string; group: string }, b: { mask: string; group: string }): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1;
  return a.mask < b.mask ? -1 : 1;
}

function starts(counts: readonly number[]): number[] {
  let next = 0;
  return [0, ...counts.map((count) => (next += count))];
}
