import type { FastifyInstance } from 'fastify';

import { addAssets } from './kernel/ui/assets.ts';
import { answerPageErrors } from './kernel/ui/error-page.tsx';
import { watchFailures, watchLatency } from './kernel/ui/vitals.ts';
import { FlashMessages } from './kernel/ui/flash.ts';
import { readForms, refuseFormsOfOthers, refuseUnfitParameters } from './kernel/ui/forms.ts';
import { readersNumbers } from './kernel/ui/numbers.ts';
import { makeInTurns } from './kernel/ui/page-turns.ts';
import { type PageKit, setTabs } from './kernel/ui/page-kit.ts';
import { requireSameOrigin } from './kernel/http/browser-safety.ts';
import { addThemeSwitch } from './kernel/ui/theme.ts';
import { monthOf } from './kernel/db/month.ts';
import { usedBy } from './metering/index.ts';
import { administratorOf, findPeople, recheckOf } from './people/index.ts';
import { type Parts, SLICES } from './slices.ts';

/** Adds every page: a scope of its own, where bodies are forms and errors are pages. */
export async function addPages(app: FastifyInstance, parts: Parts): Promise<void> {
  const { config, clock, accounts, secret } = parts;
  const baseUrl = (): string => config.baseUrl ?? (app.server.listening ? app.listeningOrigin : '');
  const isSecure = config.baseUrl?.startsWith('https:') === true;
  const deps: Parts & PageKit = {
    ...parts,
    baseUrl,
    flash: new FlashMessages(secret, isSecure),
    used: async (subject) => usedBy(parts.database, subject, monthOf(clock()).startMs),
    latency: watchLatency(app),
    failures: watchFailures(app, clock),
  };
  addAssets(app);
  await app.register(async (scope) => {
    hideFromReference(scope);
    readForms(scope);
    requireSameOrigin(scope, config.baseUrl);
    neverKept(scope);
    refuseUnfitParameters(scope);
    readersNumbers(scope);
    answerPageErrors(scope);
    findPeople(scope, accounts);
    refuseFormsOfOthers(scope);
    makeInTurns(scope, {
      ...deps,
      recheck: async (request) => {
        if (request.person !== null) await recheckOf(deps.database, request)(deps.database.kysely);
      },
    });
    setTabs(
      scope,
      SLICES.flatMap(({ tabs }) => tabs ?? []),
    );
    scope.decorate('contact', config.contact);
    addThemeSwitch(scope, isSecure);
    for (const { pages } of SLICES) await pages?.(scope, deps);
    await scope.register(async (administration) => {
      administration.addHook('onRequest', async (request) => void administratorOf(request));
      for (const { adminPages } of SLICES) await adminPages?.(administration, deps);
    });
  });
}

/** Pages are not part of the API. */
function hideFromReference(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
  });
}

/** Forbids caching of pages and redirects: they may set cookies and show who is signed in. */
function neverKept(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}
