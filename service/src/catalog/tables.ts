/** What is put over the catalog, and which catalogs were in use. */
export interface CatalogTables {
  /** Rows over the catalog, learned from an operator's cars. The newest that is not reverted is in force. */
  catalog_overlays: {
    id: string;
    /** The compiled rows: gzip in base64. */
    overlay: string;
    rows: number;
    layouts: number;
    created_at: number;
    created_by: string;
    reverted_at: number | null;
    reverted_by: string | null;
    /** Place in the audit log of its import. */
    seq: number;
  };
  /** Catalogs that the service has decoded with. */
  catalog_versions: {
    version: string;
    /** JSON: see `decode/catalog-history.ts`. */
    state: string;
    first_used_at: number;
  };
}

declare module '../kernel/db/schema.ts' {
  interface Schema extends CatalogTables {}
}
