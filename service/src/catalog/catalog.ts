import type { Decoder } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';

import type { ActDeps } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';
import { HttpError } from '../kernel/http/http-error.ts';
import { answerOf, errorAnswers, textField } from '../kernel/http/schemas.ts';
import { CatalogResponse, changesBetween, latestVersions, recalledCatalog, storeCatalog } from './catalog-history.ts';
import { andList } from '../kernel/lists.ts';
import { isoDay } from '../kernel/clock.ts';

/** Characters of the hash: enough to distinguish all catalogs, short enough to write down. */
const VERSION_LENGTH = 12;

/** Versions that an error lists. */
const MOST_VERSIONS = 10;

const Query = Type.Object({
  since: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{12}$',
      description: 'An earlier version, from `X-Catalog-Version`. The answer then says what has changed since.',
    }),
  ),
});

/** Returns the version of a catalog, as in `X-Catalog-Version`. */
export function catalogVersion({ hash }: Pick<Decoder['info'], 'hash'>): string {
  return hash.slice(0, VERSION_LENGTH);
}

/** The header in the reference. */
export const CATALOG_HEADER = {
  'X-Catalog-Version': textField(
    'The version of the catalog that decoded the VIN: see `GET /api/catalog`. Absent from repeated answers.',
    'f47d6d85fb4e',
  ),
};

/** Adds `GET /api/catalog`: free. @param compiledAtMs when the catalog was compiled; undefined: unknown. */
export function addCatalog(
  app: FastifyInstance,
  { decoder, database, clock }: ActDeps & { decoder: Pick<Decoder, 'info'> },
  compiledAtMs: number | undefined,
): void {
  app.addSchema(CatalogResponse);
  /** The catalog in use, which is another one once an overlay is imported; recorded for later comparisons. */
  let stored: string | undefined;
  const current = async (): Promise<Static<typeof CatalogResponse>> => {
    const catalog = describe(decoder.info, compiledAtMs);
    if (catalog.version !== stored) await storeCatalog(database, catalog, clock());
    stored = catalog.version;
    return catalog;
  };
  app.addHook('onReady', async () => {
    // A service without its database starts, answers requests that need none, and reports it on /readyz.
    await current().catch((error: unknown) => app.log.warn({ err: error }, 'the catalog in use was not recorded'));
  });
  app.get<{ Querystring: Static<typeof Query> }>(
    '/api/catalog',
    { config: { etag: true }, schema: { ...DESCRIPTION, querystring: Query } },
    async ({ query: { since } }): Promise<Static<typeof CatalogResponse>> => {
      const catalog = await current();
      if (since === undefined) return catalog;
      const before = await recalledCatalog(database, since);
      if (before === undefined) throw await unknownVersion(database, since);
      return { ...catalog, changes: changesBetween(before, catalog) };
    },
  );
}

async function unknownVersion(database: Database, version: string): Promise<HttpError> {
  const known = await latestVersions(database, MOST_VERSIONS);
  return new HttpError(404, `This service has never used the catalog ${version}. It knows ${andList(known)}.`);
}

const DESCRIPTION = {
  tags: ['decode'],
  operationId: 'getCatalog',
  summary: 'Get the catalog version, and what changed since an earlier one.',
  description:
    'Free. Every decode has the version in `X-Catalog-Version`. You can compare with any catalog that the service has used.',
  response: {
    200: answerOf('CatalogResponse', 'The catalog in use.'),
    ...errorAnswers(
      {
        400: '`since` is not a version.',
        404: 'The service has never used the catalog in `since`. The message lists the ones it has used.',
      },
      [500],
    ),
  },
};

function describe(info: Decoder['info'], compiledAtMs: number | undefined): Static<typeof CatalogResponse> {
  const { wmis, vpicSchemas, vpicRows, worldProfiles, worldRows, approvalRows, sources } = info;
  const rows = vpicRows + worldRows + approvalRows;
  return {
    version: catalogVersion(info),
    ...(compiledAtMs === undefined ? {} : { date: isoDay(compiledAtMs) }),
    counts: { wmis, rows, vpicSchemas, vpicRows, worldProfiles, worldRows, approvalRows },
    sources: [...sources],
  };
}
