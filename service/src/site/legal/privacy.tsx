import type { Config } from '../../kernel/config/config.ts';
import { Table } from '../../kernel/ui/table.tsx';
import { Operator } from './operator.tsx';

/** What the service stores about people and vehicles, for how long, and who else gets it. */
export function PrivacyPage({ config }: { config: Config }) {
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
          is stored about you or your vehicle, or to have it deleted, write to the operator above. Records of what was
          charged are kept, without the serial number of the VIN, for as long as the law on invoices requires.
        </p>
      </section>
    </>
  );
}

function Stored({ days }: { days: number }) {
  const rows = [
    ['Decodes: the VIN, the report, who asked, and when', `${days} days`],
    ['Requests with a key: when, which operation, and how it was answered, without the VIN', '30 days'],
    ['Files of VINs and their results', `${days} days, or until you remove them`],
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
