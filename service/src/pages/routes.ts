import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

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
import { addWebhook } from '../features/billing/webhook.ts';
import { addPortal } from './portal/index.ts';
import { addAssets } from '../platform/ui/assets.ts';
import { answerPageErrors } from './shared/error-page.tsx';
import { FlashMessages } from '../platform/ui/flash.ts';
import { readForms } from '../platform/ui/forms.ts';
import type { PageDeps, ServiceParts } from './deps.ts';
import { addLanding } from './landing/landing-route.tsx';
import { addReference } from './reference/route.tsx';
import { refuseRepeatedParameters } from '../platform/ui/query.ts';
import { requireSameOrigin } from '../platform/ui/same-origin.ts';

/** What the pages are made of. */
interface Parts extends ServiceParts {
  people: { accounts: Accounts; mailer: LinkMailer; background: Background; secret: string };
}

/** Adds every page: a scope of its own, where bodies are forms and errors are pages. */
export async function addPages(app: FastifyInstance, { people, ...parts }: Parts): Promise<void> {
  const { config, database, clock, billing } = parts;
  const { accounts, mailer, background, secret } = people;
  const baseUrl = (): string => config.baseUrl ?? (app.server.listening ? app.listeningOrigin : '');
  const mailReset = async (email: string): Promise<void> => {
    const token = await makeReset({ accounts, database, clock }, email);
    if (token !== undefined) mailer.send(resetMail(email, `${baseUrl()}/reset/${token}`));
  };
  const deps: PageDeps = {
    ...parts,
    accounts,
    mailer,
    secret,
    baseUrl,
    flash: new FlashMessages(secret, config.baseUrl?.startsWith('https:') === true),
    latency: watchLatency(app),
    failures: watchFailures(app, clock),
    askForReset: (email) => background.run(later(() => mailReset(email))),
  };
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
    addLanding(scope, deps);
    addLegal(scope, config);
    addReference(scope, deps);
    addAccountPages(scope, deps);
    await addPortal(scope, deps);
    await addAdmin(scope, deps);
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
