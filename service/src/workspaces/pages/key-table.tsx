import type { ComponentChildren } from 'preact';

import type { Database } from '../../kernel/db/index.ts';
import { pageOf } from '../../kernel/lists.ts';
import { given } from '../../kernel/ui/forms.ts';
import { type ApiKey, keyState, type LastKey, listKeys, replacedAmong } from '../index.ts';
import { Confirm } from '../../kernel/ui/confirm.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Day, Moment } from '../../kernel/ui/times.tsx';

interface KeyTableProps {
  keys: readonly ApiKey[];
  /** Ids of those in whose place there is another key. */
  replaced: ReadonlySet<string>;
  nowMs: number;
  empty: string;
  /** The link to further keys. */
  more: { href: string; text: string } | undefined;
  /** Draws the actions on a key that works. */
  actions: (key: ApiKey) => ComponentChildren;
}

/** Keys on a page. */
const PAGE = 25;

/** Returns the place in a list of keys that `readKeys` linked to; undefined: its beginning. */
export function placeIn(query: Readonly<Record<string, string | undefined>>): LastKey | undefined {
  const [kept, revoked] = [given(query['after'], 36), given(query['afterRevoked'], 36)];
  const id = kept ?? revoked;
  return id === undefined ? undefined : { id, isRevoked: kept === undefined };
}

/** Returns a page of a workspace's keys. @param path the page's address, for the link to further ones. */
export async function readKeys(database: Database, workspaceId: string, path: string, after: LastKey | undefined) {
  const { page: keys, last } = pageOf(await listKeys(database, workspaceId, { limit: PAGE + 1, after }), PAGE);
  const place = last?.revokedAtMs === null ? 'after' : 'afterRevoked';
  const more = last && { href: `${path}?${place}=${last.id}`, text: 'Further keys' };
  return { keys, replaced: await replacedAmong(database, keys), more };
}

/** A workspace's keys as its members and administrators see them. */
export function KeyTable({ keys, replaced, nowMs, empty, more, actions }: KeyTableProps) {
  return (
    <Table
      rows={keys}
      empty={empty}
      more={more}
      columns={[
        {
          head: 'Name',
          kind: 'name',
          cell: (key) => (
            <>
              {key.name} {key.mode === 'test' ? <span class="tag">test</span> : null}{' '}
              {replaced.has(key.id) && !isOver(key, nowMs) ? <span class="tag">replaced</span> : null}{' '}
              <KeyState apiKey={key} nowMs={nowMs} />
            </>
          ),
        },
        { head: 'Key', kind: 'code', cell: ({ prefix, last4 }) => <span class="whole">{`${prefix}…${last4}`}</span> },
        { head: 'Created', cell: ({ createdAtMs }) => <Day ms={createdAtMs} /> },
        {
          head: 'Last used',
          cell: ({ lastUsedAtMs }) => (lastUsedAtMs === null ? 'never' : <Moment ms={lastUsedAtMs} isAgo />),
        },
        { head: 'Actions', kind: 'actions', cell: (key) => (isOver(key, nowMs) ? null : actions(key)) },
      ]}
    />
  );
}

/** The button that revokes a key, posted to `path`, after one more question. */
export function RevokeKey({ apiKey: { id, name, prefix, last4 }, path }: { apiKey: ApiKey; path: string }) {
  return (
    <Confirm
      id={`revoke-${id}`}
      label="Revoke"
      act={`Revoke ${name}`}
      says={`The key ${prefix}…${last4} stops working in every instance within two seconds, for good. Jobs that it sent stop, and can be continued under Files.`}
      action={path}
      isSmall
    />
  );
}

function isOver(key: ApiKey, nowMs: number): boolean {
  return ['revoked', 'expired'].includes(keyState(key, nowMs));
}

/** A key's state as a word, and its last day; nothing while it works without an end. */
function KeyState({ apiKey, nowMs }: { apiKey: ApiKey; nowMs: number }) {
  const state = keyState(apiKey, nowMs);
  const tone = { active: '', 'expires soon': 'warn', expired: 'bad', revoked: 'bad' }[state];
  if (state === 'revoked' || state === 'expired') return <span class={`tag ${tone}`}>{state}</span>;
  if (apiKey.expiresAtMs === null) return null;
  return (
    <span class={`tag ${tone}`}>
      {state === 'active' ? 'expires' : state} <Moment ms={apiKey.expiresAtMs} />
    </span>
  );
}
