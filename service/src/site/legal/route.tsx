import type { FastifyInstance } from 'fastify';

import type { Config } from '../../kernel/config/config.ts';
import { CachedPages } from '../../kernel/ui/html.tsx';
import { Contact } from '../../kernel/ui/contact.tsx';
import { Table } from '../../kernel/ui/table.tsx';

/** Adds `/privacy` and `/terms`. */
export function addLegal(scope: FastifyInstance, config: Config): void {
  const pages = [
    { path: '/privacy', title: 'Privacy', children: <PrivacyPage config={config} /> },
    { path: '/terms', title: 'Terms', children: <TermsPage config={config} /> },
  ];
  const kept = new CachedPages();
  for (const { path, title, children } of pages) {
    const page = () => ({ title, current: path, isPublic: true, children });
    scope.get(path, (_request, reply) => kept.send(reply, path, page));
  }
}

/** Names the operator of this instance, and their address. */
function Operator({ config: { operator, contact } }: { config: Config }) {
  return (
    <section>
      <h2>Who operates this service</h2>
      <p>{operator ?? 'The operator of this instance has not published a name yet.'}</p>
      {contact === undefined ? null : (
        <p>
          Contact: <Contact contact={contact} />
        </p>
      )}
    </section>
  );
}

/**
 * Describes the data that the service stores about people and vehicles, their retention, and their other recipients.
 */
function PrivacyPage({ config }: { config: Config }) {
  return (
    <>
      <h1>Privacy</h1>
      <p class="lede">
        A VIN identifies one vehicle and can lead to a person. This page says what is stored, for how long, and who else
        gets it.
      </p>
      <Operator config={config} />
      <Stored days={config.decodeLogRetentionDays} />
      <Others config={config} />
      <section>
        <h2>Cookies</h2>
        <p>The service sets cookies only for what you ask it to do:</p>
        <ul>
          <li>While you are signed in, one cookie keeps you signed in.</li>
          <li>
            For 180 days after you sign in, one lets this browser sign in even while somebody else is guessing your
            password.
          </li>
          <li>While you sign in with a second factor, one remembers the first step.</li>
          <li>After you send a form, one carries the result to the next page, for up to two minutes.</li>
          <li>After you choose light or dark pages, one remembers it for a year.</li>
        </ul>
        <p>
          Choices such as units, and a key that you enter in the API reference, stay in your browser. The pages load
          nothing from other hosts and do not track you.
        </p>
      </section>
      <section>
        <h2>Your rights</h2>
        <p>
          You can read, correct, and delete your account on the <a href="/account">Account</a> page. For a copy of what
          is stored about you or your vehicle, or to have it deleted,{' '}
          {config.contact === undefined ? (
            'ask the company that gave you this address'
          ) : (
            <>
              write to <Contact contact={config.contact} />
            </>
          )}
          . Records of what was charged are kept, without the serial number of the VIN, for as long as the law on
          invoices requires.
        </p>
      </section>
    </>
  );
}

function Stored({ days }: { days: number }) {
  const kept = days === 1 ? 'a day' : `${days} days`;
  const rows = [
    ['Decodes: the VIN, the report, who asked, and when', kept],
    ['Requests with a key: when, which operation, and how it was answered, without the VIN', '30 days'],
    ['Files of VINs and their results', `${kept}, or until you remove them`],
    ['Reports of wrong decodes, with the note and e-mail address you gave', 'Until you ask for deletion'],
    ['Your account: name, e-mail address, password hash, and sessions', 'Until you close it'],
    ['Number of decodes by workspace, key, and day', 'As long as invoices require'],
    ['Who changed what: sign-ups, keys, and decisions', 'Permanently, as evidence'],
    ['Decodes without a key, counted under a keyed hash of the network address', 'The hash changes every month'],
  ] as const;
  return (
    <section>
      <h2>What is stored</h2>
      <Table
        rows={rows}
        columns={[
          { head: 'Data', kind: 'name', cell: ([data]) => data },
          { head: 'How long', cell: ([, period]) => period },
        ]}
      />
      <p>Network addresses are not stored. Logs contain at most the first 11 characters of a VIN.</p>
    </section>
  );
}

function Others({ config }: { config: Config }) {
  const receivers = [
    ...(config.enrichmentVpicUrl === undefined && config.enrichmentSourcesFile === undefined
      ? []
      : ['External sources of vehicle data get VINs that the catalog does not cover.']),
    ...(config.billing === undefined
      ? []
      : ["Stripe gets the workspace's name and the owner's e-mail address, for paid plans."]),
    ...(config.smtpUrl === undefined ? [] : ['A mail server gets the messages that the service sends you.']),
    ...(config.tracing === undefined
      ? []
      : ['A collector of traces gets timings of requests, with at most the first three characters of a VIN.']),
    'Webhooks send your own events to the addresses that your workspace sets.',
  ];
  return (
    <section>
      <h2>Who else gets data</h2>
      <ul>
        {receivers.map((receiver) => (
          <li key={receiver}>{receiver}</li>
        ))}
      </ul>
      <p>The service itself sends data to no one else.</p>
    </section>
  );
}

/** Describes the permitted uses of the service, and its promises. */
function TermsPage({ config }: { config: Config }) {
  const { governingLaw } = config;
  return (
    <>
      <h1>Terms</h1>
      <p class="lede">What you may do with this service, what you pay for, and what to rely on.</p>
      <Operator config={config} />
      <section>
        <h2>Using the service</h2>
        <ul>
          <li>Decode VINs that you have a right to process. You are responsible for what your keys do.</li>
          <li>Keep keys secret. If a key leaks, revoke it on the Keys page. It stops working within two seconds.</li>
          <li>Do not circumvent limits or disrupt the service for others.</li>
        </ul>
      </section>
      <section>
        <h2>What is charged</h2>
        <ul>
          <li>Each plan includes a number of decodes for each calendar month (UTC). Unused decodes expire.</li>
          <li>Only answers with status 200 count. Invalid VINs, errors, and pending lookups are free.</li>
          <li>At the limit, decodes are refused until the next month. You never pay more than your plan costs.</li>
        </ul>
      </section>
      <section>
        <h2>What to rely on</h2>
        <ul>
          <li>
            Reports come from public and reviewed data and may be incomplete or wrong. Check them before you rely on
            them for safety, for a price, or in a contract.
          </li>
          <li>
            The <a href="/#accuracy">measured accuracy</a> describes labeled test vehicles. Your results may differ.
          </li>
          <li>The service is provided as is. The operator does not guarantee that it is always available.</li>
        </ul>
      </section>
      <section>
        <h2>Ending</h2>
        <p>
          You can close a workspace or your account at any time. The operator may suspend a workspace that breaks these
          terms.
        </p>
        {governingLaw === undefined ? null : <p>These terms are governed by {governingLaw}.</p>}
      </section>
      <p class="hint">
        The software is open source under the Apache 2.0 license, which has its own terms for running your own instance.
      </p>
    </>
  );
}
