import type { Static } from 'typebox';

import type { Database } from '../kernel/db/index.ts';
import type { CatalogResponse, Changes } from './catalog-schemas.ts';

/** A catalog as recorded in the history: an older service may have counted other things. */
type CatalogState = Omit<Static<typeof CatalogResponse>, 'counts'> & { counts: Readonly<Record<string, number>> };

/** Records that this database's service decodes with a catalog, so that later ones can be compared with it. */
export async function storeCatalog({ kysely }: Database, state: CatalogState, atMs: number): Promise<void> {
  await kysely
    .insertInto('catalog_versions')
    .values({ version: state.version, state: JSON.stringify(state), first_used_at: atMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A catalog that the service has used; undefined: it has not used this version, or did not record it. */
export async function recalledCatalog({ kysely }: Database, version: string): Promise<CatalogState | undefined> {
  const row = await kysely
    .selectFrom('catalog_versions')
    .select('state')
    .where('version', '=', version)
    .executeTakeFirst();
  return row === undefined ? undefined : JSON.parse(row.state);
}

/** The latest versions that the service used, newest first. */
export async function latestVersions({ kysely }: Database, limit: number): Promise<string[]> {
  const rows = await kysely
    .selectFrom('catalog_versions')
    .select('version')
    .orderBy('first_used_at', 'desc')
    .orderBy('version')
    .limit(limit)
    .execute();
  return rows.map(({ version }) => version);
}

/** A catalog that the service has used. */
export interface CatalogVersion {
  version: string;
  firstUsedAtMs: number;
  state: CatalogState;
  /** What differs from the one before; undefined: none is known. */
  changes: Static<typeof Changes> | undefined;
}

/** The latest catalogs that the service used, newest first, each compared with the one before it. */
export async function catalogVersions({ kysely }: Database, limit: number): Promise<CatalogVersion[]> {
  const rows = await kysely
    .selectFrom('catalog_versions')
    .select(['version', 'state', 'first_used_at as firstUsedAtMs'])
    .orderBy('first_used_at', 'desc')
    .orderBy('version')
    .limit(limit + 1)
    .execute();
  const states = rows.map(({ state }): CatalogState => JSON.parse(state));
  return rows.slice(0, limit).flatMap(({ version, firstUsedAtMs }, place) => {
    const [state, before] = [states[place], states[place + 1]];
    if (state === undefined) return [];
    return { version, firstUsedAtMs, state, changes: before && changesBetween(before, state) };
  });
}

/** What changed from one catalog to another. Pure. */
export function changesBetween(before: CatalogState, after: CatalogState): Static<typeof Changes> {
  const names = [...new Set([...Object.keys(before.counts), ...Object.keys(after.counts)])];
  const counts = names.map((name) => ({
    name,
    before: before.counts[name] ?? 0,
    after: after.counts[name] ?? 0,
  }));
  const [old, now] = [before, after].map(({ sources }) => sources.map(sourceText));
  return {
    since: before.version,
    ...(before.date === undefined ? {} : { sinceDate: before.date }),
    isSame: before.version === after.version,
    counts: counts.filter((count) => count.before !== count.after),
    sources: {
      added: now?.filter((source) => old?.includes(source) === false) ?? [],
      removed: old?.filter((source) => now?.includes(source) === false) ?? [],
    },
  };
}

/** A source that was imported again counts as a new one. */
function sourceText({ id, title, imported }: CatalogState['sources'][number]): string {
  return imported === undefined ? `${id}: ${title}` : `${id}: ${title}, imported ${imported}`;
}
