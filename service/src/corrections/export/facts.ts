import type { WorldProfile } from '@marque/catalog';

import { mergeFields } from '../apply.ts';
import { scopeText } from '../scope.ts';
import type { Override, Scope } from '../types.ts';
import { type FactRow, factRowOf, type LeftOut, sourceKey, wmiOf } from './fact-row.ts';

/** A source as `sources.csv` names it. */
export interface FactSource {
  key: string;
  /** Its kind (`SourceKind`): a reviewer said what the vehicle is. */
  kind: 'labelled';
  licence: string;
  where: string;
}

/** Rows for one maker's folder. */
interface MakerFacts {
  /** The folder's name. */
  maker: string;
  /** Names of the layouts that have to name the table. */
  layouts: string[];
  rows: FactRow[];
}

/** Overrides as facts. */
export interface ExportedFacts {
  makers: MakerFacts[];
  sources: FactSource[];
  leftOut: LeftOut[];
}

/**
 * Overrides in force as rows of the catalog's facts, one for each scope, with the reports as their sources.
 *
 * @param overrides newest first.
 * @param profiles the layouts that facts can go into.
 */
export function toFacts(overrides: readonly Override[], profiles: readonly WorldProfile[]): ExportedFacts {
  const leftOut: LeftOut[] = [];
  const makers = new Map<string, MakerFacts>();
  const used = new Set<Override>();
  for (const group of Map.groupBy(overrides, ({ scope }) => scopeText(scope)).values()) {
    const [newest] = group;
    if (newest === undefined) continue;
    const homes = profiles.filter((profile) => isHomeOf(newest.scope, profile));
    const [home] = homes;
    if (home === undefined) {
      const why = `There is no layout for ${scopeText(newest.scope)}: North American facts come from vPIC alone.`;
      leftOut.push({ overrideId: newest.id, why });
      continue;
    }
    const merged = { ...newest, fields: mergeFields(group.map(({ fields }) => fields)) };
    const written = factRowOf(merged, [...new Set(group.map(sourceKey))]);
    leftOut.push(...written.leftOut);
    if (written.row === undefined) continue;
    for (const override of group) used.add(override);
    const maker = folderOf(home);
    const facts = makers.get(maker) ?? { maker, layouts: [], rows: [] };
    makers.set(maker, facts);
    facts.rows.push(written.row);
    const names = homes.filter((profile) => folderOf(profile) === maker).map(({ id }) => id.slice(maker.length + 1));
    facts.layouts = [...new Set([...facts.layouts, ...names])];
  }
  return { makers: [...makers.values()], sources: sourcesOf(used), leftOut };
}

function sourcesOf(overrides: Iterable<Override>): FactSource[] {
  const sources = new Map<string, FactSource>();
  for (const override of overrides) {
    const key = sourceKey(override);
    const day = new Date(override.createdAtMs).toISOString().slice(0, 10);
    const where = `decode issue reported to Marque, accepted ${day}`;
    sources.set(key, { key, kind: 'labelled', licence: 'facts only', where });
  }
  return [...sources.values()];
}

function isHomeOf(scope: Scope, { wmis, years }: WorldProfile): boolean {
  if (!wmis.includes(wmiOf(scope))) return false;
  if (scope.kind === 'vin') return true;
  const [from, to] = scope.years;
  return (from ?? -Infinity) <= (years[1] ?? Infinity) && (to ?? Infinity) >= (years[0] ?? -Infinity);
}

function folderOf({ id }: Pick<WorldProfile, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}
