import type { Explanation, FieldEvidence } from '@marque/decoder';

import { valueAt } from '../kernel/records.ts';

/** The reason for a field's value. */
export interface Why {
  /** Positions of the VIN that determine it, from 1; empty: it follows from the other fields. */
  positions: readonly number[];
  /** Kind of source and how sure, for who may see it. */
  grounds?: string;
}

const WMI = [1, 2, 3];
/** Matches the positions that a note on the model year names: "position 10 is P; position 7 is E, a letter". */
const READ_AT = /\bposition (\d+) is /g;

/**
 * Returns the reasons for the fields of a report, by path; fields with another value in the explanation are left out.
 * `isDetailed`: its reader may see kinds of sources. Pure.
 */
export function whyOf(
  { fields, report: explained }: Explanation,
  report: Record<string, unknown>,
  isDetailed: boolean,
): ReadonlyMap<string, Why> {
  const found = new Map<string, Why>();
  for (const evidence of fields) {
    const value = valueAt(report, evidence.field);
    if (value === undefined || JSON.stringify(value) !== JSON.stringify(valueAt(explained, evidence.field))) continue;
    const grounds = isDetailed ? groundsOf(evidence) : undefined;
    const why = { positions: positionsOf(evidence) };
    found.set(evidence.field, grounds === undefined ? why : { ...why, grounds });
  }
  return found;
}

function positionsOf({ field, rows, note = '' }: FieldEvidence): number[] {
  const [deciding] = rows;
  const implied = impliedBy(field, note);
  return [...new Set([...implied, ...(deciding?.positions ?? [])])].toSorted((a, b) => a - b);
}

/** Returns the positions of the WMI for the make, and those that the note on the model year names. */
function impliedBy(field: string, note: string): readonly number[] {
  if (field === 'manufacturer') return WMI;
  if (field !== 'modelYear') return [];
  return Array.from(note.matchAll(READ_AT), ([, position]) => Number(position));
}

const SURENESS = {
  A: 'several independent sources agree',
  B: 'one explicit source',
  C: 'few labeled vehicles',
  G: 'general knowledge that something independent agrees with',
} as const;

function groundsOf({ rows: [deciding] }: FieldEvidence): string | undefined {
  if (deciding === undefined) return undefined;
  const kind = deciding.source.startsWith('override') ? 'A correction' : sourceKind(deciding.source);
  return `${kind}: ${SURENESS[deciding.confidence]}.`;
}

function sourceKind(source: string): string {
  return source === 'vPIC' ? "NHTSA's vPIC" : "The catalog's facts";
}

/** Positions as text: "Positions 4-8 and 11". Pure. */
export function positionsText(positions: readonly number[]): string {
  const runs: [from: number, to: number][] = [];
  for (const position of positions) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === position - 1) last[1] = position;
    else runs.push([position, position]);
  }
  const texts = runs.map(([from, to]) => (from === to ? String(from) : `${from}\u2013${to}`));
  const list = texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
  return `${positions.length === 1 ? 'Position' : 'Positions'} ${list}`;
}
