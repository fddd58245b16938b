import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

import { findPeople } from './people/guard.ts';
import type { Accounts } from './people/accounts.ts';
import type { Background } from './people/background.ts';
import type { LinkMail, LinkMailer } from './people/mail.ts';
import { makeReset } from './people/resets.ts';
import { addAccountPages } from './people/pages/index.ts';
import { addAdmin } from './admin-pages.ts';
import { addLegal } from './site/legal/route.tsx';
import { watchFailures } from './kernel/ui/failures.ts';
import { watchLatency } from './kernel/ui/latency.ts';
import { addWebhook } from './billing/webhook.ts';
import { addPortal } from './portal-pages.ts';
import { addAssets } from './kernel/ui/assets.ts';
import { answerPageErrors } from './kernel/ui/error-page.tsx';
import { FlashMessages } from './kernel/ui/flash.ts';
import { readForms } from './kernel/ui/forms.ts';
import type { PageDeps, ServiceParts } from './page-deps.ts';
import { addLanding } from './site/landing/landing-route.tsx';
import { addReference } from './site/reference/route.tsx';
import { refuseRepeatedParameters } from './kernel/ui/query.ts';
import { requireSameOrigin } from './kernel/ui/same-origin.ts';

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
