import type { FastifyInstance } from 'fastify';

/** A route of an app. */
export interface Route {
  method: 'GET' | 'POST';
  /** With parameters as `:name`. */
  path: string;
}

/** The indentation of a level of the printed tree. */
const INDENT = 4;

/** Returns every route that an app knows, `HEAD` and preflights left out. */
export function routesOf(app: FastifyInstance): Route[] {
  const above: string[] = [];
  const routes: Route[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([ │]*)[├└]── (\S+) \((.*)\)$/.exec(line) ?? [];
    if (part === '' || part === '*') continue;
    const level = indent.length / INDENT;
    const parent = above[level - 1] ?? '';
    const path = parent.endsWith('/') || /^[/.]/.test(part) ? parent + part : `${parent}/${part}`;
    above[level] = path.replaceAll('//', '/');
    for (const method of ['GET', 'POST'] as const) {
      if (methods.split(', ').includes(method)) routes.push({ method, path: above[level] });
    }
  }
  return routes;
}
