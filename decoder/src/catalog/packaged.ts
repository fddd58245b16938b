/**
 * Where the catalog of the published package is, compressed with gzip: a file for `openCatalog` in Node, an address
 * for `fetchCatalog` in a browser. Bundlers that know `new URL(…, import.meta.url)` bring the file along.
 */
export function packagedCatalog(): URL {
  return new URL('../../catalog/marque.catalog.gz', import.meta.url);
}
