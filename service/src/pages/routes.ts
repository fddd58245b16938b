import type { FastifyInstance, FastifyRequest } from 'fastify';

import { addAssets } from './assets.ts';
import { answerPageErrors } from './error-page.tsx';
import { readForms } from './forms.ts';
import { addLanding, type LandingDeps } from './landing-route.tsx';
import type { Viewer } from './layout.tsx';
import { addReference } from './reference/route.tsx';
import { requireSameOrigin } from './same-origin.ts';

/** What the public pages need. */
interface PagesDeps extends Omit<LandingDeps, 'viewerOf'> {
  configuredBaseUrl: string | undefined;
}

/** Adds every page: a scope of its own, where bodies are forms and errors are pages. */
export async function addPages(app: FastifyInstance, deps: PagesDeps): Promise<void> {
  addAssets(app);
  await app.register(async (scope) => {
    readForms(scope);
    requireSameOrigin(scope, deps.configuredBaseUrl);
    answerPageErrors(scope);
    const viewerOf = nobody;
    addLanding(scope, { ...deps, viewerOf });
    addReference(scope, { ...deps, viewerOf });
  });
}

async function nobody(_request: FastifyRequest): Promise<Viewer | undefined> {
  return undefined;
}
