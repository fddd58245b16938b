import type { FastifyInstance } from 'fastify';

import { viewerOf } from '../../features/accounts/guard.ts';
import { sendPage } from '../../platform/ui/html.tsx';
import type { OpenApi } from './openapi.ts';
import { Reference } from './page.tsx';

/** Adds `/docs`, rendered from what `/openapi.json` says. */
export function addReference(scope: FastifyInstance, deps: { baseUrl: () => string }): void {
  let api: OpenApi | undefined;
  scope.get('/docs', { config: { etag: true }, schema: { hide: true } }, (request, reply) => {
    // Routes do not change while the service runs.
    api ??= readApi(JSON.stringify(scope.swagger()));
    return sendPage(reply, {
      title: 'API reference',
      description: 'Every operation of the Marque API with examples in curl, TypeScript and Python.',
      viewer: viewerOf(request),
      current: '/docs',
      isPublic: true,
      children: <Reference api={api} baseUrl={deps.baseUrl()} />,
    });
  });
}

function readApi(json: string): OpenApi {
  const api: OpenApi = JSON.parse(json);
  return api;
}
