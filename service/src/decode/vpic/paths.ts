import type { FastifyInstance } from 'fastify';

const PATH = /^\/api\/vehicles\/([^/?]+)([^?]*)(.*)$/i;

/**
 * NHTSA's addresses: its server takes paths and names of a query in any case, with and without a slash at the end, and
 * its clients make use of it.
 */
export class VpicPaths {
  /**
   * Names of methods, of parts within a path and of parameters of a query, as the routes write them, by their lower
   * case.
   */
  readonly #names = new Map<string, string>();

  /** Learns the names of routes. Call it before the first one is added. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, schema }) => {
      const [, method, path = ''] = PATH.exec(url) ?? [];
      if (method === undefined) return;
      const labels = path.split('/').filter((part) => /^\w/.test(part));
      for (const name of [method, ...labels, ...namesIn(schema?.querystring)])
        this.#names.set(name.toLowerCase(), name);
    });
  }

  /** Returns the address as the routes know it; any other address stays as it is. */
  canonical(url: string): string {
    const [, name = '', rest = '', query = ''] = PATH.exec(url) ?? [];
    const method = this.#names.get(name.toLowerCase());
    if (method === undefined) return url;
    const path = rest.replace(/\/$/, '');
    const isLabeled = method.startsWith('GetModelsFor') && method.endsWith('Year');
    return `/api/vehicles/${method}${isLabeled ? this.#labeled(path) : path}${this.#withNames(query)}`;
  }

  /** Rewrites `?ModelYear=2011&FORMAT=json` to `?modelyear=2011&format=json`. */
  #withNames(query: string): string {
    return query.replace(/(?<=[?&])[a-z_]+(?==)/gi, (name) => this.#written(name));
  }

  /** Rewrites `/MAKE/honda/ModelYear/2015` to `/make/honda/modelyear/2015`. */
  #labeled(path: string): string {
    const parts = path.split('/').map((part, index) => (index % 2 === 1 ? this.#written(part) : part));
    return parts.join('/');
  }

  #written(name: string): string {
    return this.#names.get(name.toLowerCase()) ?? name;
  }
}

/** Returns the names of the parameters that a schema describes. */
function namesIn(querystring: unknown): string[] {
  const isSchema = typeof querystring === 'object' && querystring !== null && 'properties' in querystring;
  return isSchema ? Object.keys(querystring.properties ?? {}) : [];
}
