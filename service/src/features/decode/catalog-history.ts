import type { Database } from '../../platform/db/index.ts';

/** A catalog as its history tells of it. */
export interface CatalogState {
  version: string;
  /** The day of its compilation (UTC), where it is known. */
  date?: string;
  counts: Readonly<Record<string, number>>;
  sources: readonly { id: string; title: string; imported?: string }[];
}

/** What two catalogs differ in: counts that are not the same, and sources. */
export interface CatalogChanges {
  since: string;
  sinceDate?: string;
  isSame: boolean;
  counts: { name: string; before: number; after: number }[];
  sources: { added: string[]; removed: string[] };
}

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

/** What changed from one catalog to another. Pure. */
export function changesBetween(before: CatalogState, after: CatalogState): CatalogChanges {
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

/** A source that was imported again is another one. */
function sourceText({ id, title, imported }: CatalogState['sources'][number]): string {
  return imported === undefined ? `${id}: ${title}` : `${id}: ${title}, imported ${imported}`;
}
