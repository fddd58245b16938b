import { bigint, key, type Rows, table, text } from '../kernel/db/table.ts';

/** Overlays of the catalog, and the catalogs that were in use. */
export const CATALOG_TABLES = {
  /** Rows over the catalog, learned from an operator's cars. The newest that is not reverted is in force. */
  catalog_overlays: table(
    {
      id: key().primary(),
      /** The compiled rows: gzip in base64. */
      overlay: text(),
      rows: bigint(),
      layouts: bigint(),
      created_at: bigint(),
      created_by: text(),
      reverted_at: bigint().nullable(),
      reverted_by: text().nullable(),
      /** Place in the audit log of its import. */
      seq: bigint(),
    },
    { indexes: { catalog_overlays_in_force: '(seq) WHERE reverted_at IS NULL' } },
  ),
  /**
   * Official registers of cars that were imported: the values that the cars of each VIN pattern agree on, and no car.
   */
  catalog_registers: table({
    /** The word for the register. */
    id: key().primary(),
    imported_at: bigint(),
    imported_by: text(),
    records: bigint(),
    cars: bigint(),
    /** JSON: the number of patterns that determine each field. */
    fields: text(),
    /** Its patterns as CSV: gzip in base64. */
    patterns: text(),
  }),
  /**
   * All registers together, compiled to be put over the catalog: one row, or none. The id changes with each import and
   * removal.
   */
  catalog_register_overlay: table({
    id: key().primary(),
    /** gzip in base64. */
    overlay: text(),
  }),
  /** Catalogs that the service has decoded with. */
  catalog_versions: table({
    version: key().primary(),
    /** JSON: see `catalog-history.ts`. */
    state: text(),
    first_used_at: bigint(),
  }),
};

export type CatalogTables = Rows<typeof CATALOG_TABLES>;

declare module '../kernel/db/schema.ts' {
  interface Schema extends CatalogTables {}
  interface Topics {
    overlay: 'rows over the catalog';
  }
}
