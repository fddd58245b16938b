import type { ComponentChildren } from 'preact';

import { type ApiKey, keyState } from '../index.ts';
import { Confirm } from '../../kernel/ui/confirm.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import { Day, Moment } from '../../kernel/ui/times.tsx';

interface KeyTableProps {
  keys: readonly ApiKey[];
  nowMs: number;
  empty: string;
  /** Draws the actions on a key that works. */
  actions: (key: ApiKey) => ComponentChildren;
}

/** A workspace's keys as its members and administrators see them. */
export function KeyTable({ keys, nowMs, empty, actions }: KeyTableProps) {
  const replaced = new Set(
    keys.flatMap(({ rotatedFrom, revokedAtMs }) => (revokedAtMs === null ? (rotatedFrom ?? []) : [])),
  );
  return (
    <Table
      rows={keys}
      empty={empty}
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
