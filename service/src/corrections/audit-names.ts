import type { AuditEntry } from '../kernel/audit/index.ts';
import type { Database } from '../kernel/db/index.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns readable names of the things that the audit log names by id: workspaces, keys, reports, webhooks, people. */
export async function namesIn(
  { kysely }: Pick<Database, 'kysely'>,
  entries: readonly AuditEntry[],
): Promise<ReadonlyMap<string, string>> {
  const text = entries
    .map(({ actor, subject, details }) => `${actor} ${subject} ${JSON.stringify(details)}`)
    .join('\n');
  const ids = [...new Set(text.match(UUID))];
  if (ids.length === 0) return new Map();
  const [workspaces, keys, reports, webhooks] = await Promise.all([
    kysely.selectFrom('workspaces').select(['id', 'slug as name']).where('id', 'in', ids).execute(),
    kysely.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', ids).execute(),
    kysely.selectFrom('correction_reports').select(['id', 'vin as name']).where('id', 'in', ids).execute(),
    kysely.selectFrom('webhook_endpoints').select(['id', 'url as name']).where('id', 'in', ids).execute(),
  ]);
  const people = await kysely.selectFrom('auth_users').select(['id', 'email as name']).where('id', 'in', ids).execute();
  return new Map(
    [...workspaces, ...keys, ...reports, ...webhooks, ...people].flatMap(({ id, name }) =>
      name === null ? [] : [[id, name]],
    ),
  );
}
