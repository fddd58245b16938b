import type { ComponentChildren } from 'preact';

import type { ApiKey } from '../../features/access/index.ts';
import { Confirm } from '../../platform/ui/fields.tsx';
import { Moment } from '../../platform/ui/times.tsx';

/** A workspace's keys as its members and administrators see them; `actions` draws what can be done with a key that works. */
export function KeyTable(view: {
  keys: readonly ApiKey[];
  nowMs: number;
  actions: (key: ApiKey) => ComponentChildren;
}) {
  const { keys, nowMs, actions } = view;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Looks like</th>
          <th scope="col">Created (UTC)</th>
          <th scope="col">Last used (UTC)</th>
          <th scope="col">
            <span class="unseen">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row">
              {key.name} <KeyState apiKey={key} nowMs={nowMs} />
            </th>
            <td data-label="Looks like">
              <code>{`${key.prefix}…${key.last4}`}</code>
            </td>
            <td data-label="Created (UTC)">
              <Moment ms={key.createdAtMs} />
            </td>
            <td data-label="Last used (UTC)">
              {key.lastUsedAtMs === null ? 'never' : <Moment ms={key.lastUsedAtMs} />}
            </td>
            <td>{isOver(key, nowMs) ? null : actions(key)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The form that revokes a key, posted to `path`, after one more question. */
export function RevokeKey({ apiKey: { name }, path }: { apiKey: ApiKey; path: string }) {
  return (
    <Confirm label="Revoke" says="This key stops working in every instance within two seconds, for good.">
      <form method="post" action={path}>
        <button class="danger" aria-label={`Revoke ${name}`}>
          Revoke
        </button>
      </form>
    </Confirm>
  );
}

function isOver({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): boolean {
  return revokedAtMs !== null || (expiresAtMs !== null && expiresAtMs <= nowMs);
}

/** A key's state as a word; nothing while it simply works. */
function KeyState({ apiKey, nowMs }: { apiKey: ApiKey; nowMs: number }) {
  if (apiKey.revokedAtMs !== null) return <span class="tag bad">revoked</span>;
  if (apiKey.expiresAtMs === null) return null;
  if (apiKey.expiresAtMs <= nowMs) return <span class="tag bad">expired</span>;
  return (
    <span class="tag warn">
      ends <Moment ms={apiKey.expiresAtMs} />
    </span>
  );
}
