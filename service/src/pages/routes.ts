import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

import type { NetworkOf } from '../features/access/address.ts';
import { findPeople } from '../features/accounts/guard.ts';
import type { Accounts } from '../features/accounts/accounts.ts';
import type { Background } from '../features/accounts/background.ts';
import type { LinkMail, LinkMailer } from '../features/accounts/mail.ts';
import { makeReset } from '../features/accounts/resets.ts';
import { addAccountPages } from './account/index.ts';
import { addAdmin } from './admin/index.ts';
import { addLegal } from './legal/route.tsx';
import { watchFailures } from './shared/failures.ts';
import { watchLatency } from './shared/latency.ts';
import type { Billing } from '../features/billing/billing.ts';
import { addWebhook } from '../features/billing/webhook.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { CorrectedDecoder, Corrections } from '../features/corrections/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { Enrichment } from '../features/enrichment/index.ts';
import type { Suggestions } from '../features/decode/suggestions.ts';
import type { PortalDeps } from './portal/context.ts';
import { addPortal } from './portal/index.ts';
import type { Meter } from '../features/usage/index.ts';
import type { WebhookParts } from '../features/webhooks/index.ts';
import type { OpenRateLimit } from '../platform/http/burst.ts';
import { addAssets } from '../platform/ui/assets.ts';
import { answerPageErrors } from './shared/error-page.tsx';
import { FlashMessages } from '../platform/ui/flash.ts';
import { readForms } from '../platform/ui/forms.ts';
import { addLanding, type LandingDeps } from './landing/landing-route.tsx';
import { addReference } from './reference/route.tsx';
import { refuseRepeatedParameters } from '../platform/ui/query.ts';
import { requireSameOrigin } from '../platform/ui/same-origin.ts';

/** What the pages need. */
interface PagesDeps extends Pick<LandingDeps, 'storedReports' | 'access'>, Pick<PortalDeps, 'idempotency'> {
  meter: Pick<Meter, 'charge' | 'chargeMany' | 'record' | 'peek'>;
  decoder: CorrectedDecoder;
  corrections: Corrections;
  enrichment: Enrichment | undefined;
  webhooks: WebhookParts;
  files: { wake: () => void };
  people: { accounts: Accounts; mailer: LinkMailer; background: Background; secret: string };
  billing: Billing | undefined;
  rateLimit: OpenRateLimit;
  suggestions: Pick<Suggestions, 'for'>;
  networkOf: NetworkOf;
  config: Config;
  database: Database;
  clock: Clock;
  log: FastifyBaseLogger;
}

/** Adds every page: a scope of its own, where bodies are forms and errors are pages. */
export async function addPages(app: FastifyInstance, deps: PagesDeps): Promise<void> {
  const { config, database, clock, billing } = deps;
  const baseUrl = (): string => config.baseUrl ?? (app.server.listening ? app.listeningOrigin : '');
  const { accounts, mailer, background, secret } = deps.people;
  const mailReset = async (email: string): Promise<void> => {
    const token = await makeReset({ accounts, database, clock }, email);
    if (token !== undefined) mailer.send(resetMail(email, `${baseUrl()}/reset/${token}`));
  };
  const latency = watchLatency(app);
  const failures = watchFailures(app, clock);
  const flash = new FlashMessages(secret, config.baseUrl?.startsWith('https:') === true);
  if (billing !== undefined) await addWebhook(app, billing);
  addAssets(app);
  await app.register(async (scope) => {
    hideFromReference(scope);
    readForms(scope);
    requireSameOrigin(scope, config.baseUrl);
    neverKept(scope);
    refuseRepeatedParameters(scope);
    answerPageErrors(scope);
    findPeople(scope, accounts);
    addLanding(scope, { ...deps, ...config, baseUrl, latency });
    addLegal(scope, config);
    addReference(scope, { ...deps, baseUrl });
    const accountDeps = {
      accounts,
      database,
      clock,
      mailer,
      flash,
      baseUrl,
      secret,
      planLimits: config.planLimits,
      networkOf: deps.networkOf,
      askForReset: (email: string) => background.run(later(() => mailReset(email))),
    };
    addAccountPages(scope, accountDeps);
    await addPortal(scope, { ...deps, ...accountDeps, billing });
    await addAdmin(scope, { ...deps, failures, latency, flash });
  });
}

function resetMail(to: string, link: string): LinkMail {
  return {
    to,
    subject: 'Set a new Marque password',
    before: `Someone, probably you, asked to reset the password for ${to}. Open this link to choose a new one:`,
    link,
    after: 'The link is valid for one hour. If you did not ask for it, ignore this mail: your password stays the same.',
  };
}

/** Pages are not part of the API. */
function hideFromReference(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
  });
}

/** Redirects as well as pages: they may set cookies and tell who is signed in. */
function neverKept(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}

/** Some time after the answer: nobody can tell from it whether there was anything to do. */
async function later(work: () => Promise<void>): Promise<void> {
  await sleep(randomInt(300, 1_500));
  return work();
}
