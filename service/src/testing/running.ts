import { createKey, systemRandom } from '../workspaces/index.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Engine } from './databases.ts';
import { serviceOn, type TestService } from './service.ts';

/** An answer as it came over the wire. Parts that no test looks into are not typed. */
export interface WireAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & {
    report: Record<string, unknown>;
    usage: { limit: number | null; remaining: number | null; resetAt: string };
    results: { report: object }[];
  };
}

/** The parameters of a request. */
interface Asked {
  headers?: Record<string, string>;
  /** Sent as JSON; a text is sent as it is. */
  body?: unknown;
}

/** A service that listens on a socket, to be asked as its clients ask it. */
export interface RunningService extends TestService {
  /** Sends a request: a POST where it has a body. */
  ask(path: string, asked?: Asked): Promise<WireAnswer>;
  /** Makes another key of a plan's workspace, which `keyFor` has made. */
  moreKeys(plan: string, wanted: { mode?: 'test'; expiresAtMs?: number }): Promise<{ id: string; key: string }>;
}

/** Starts a service on a database of its own, and listens. */
export async function runningService(engine: Engine, env: NodeJS.ProcessEnv = {}): Promise<RunningService> {
  const service = await serviceOn(engine, env);
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  return {
    ...service,
    ask: async (path, { headers = {}, body } = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const sent = body === undefined ? {} : { method: 'POST', body: text };
      const answer = await fetch(origin + path, { headers, ...sent });
      const told: WireAnswer['body'] = JSON.parse(await answer.text());
      return { status: answer.status, headers: answer.headers, body: told };
    },
    moreKeys: async (plan, wanted) => {
      const { id } = await service.database.kysely
        .selectFrom('workspaces')
        .select('id')
        .where('slug', '=', plan)
        .executeTakeFirstOrThrow();
      const deps = { database: service.database, clock: systemClock, random: systemRandom };
      return createKey(deps, { workspaceId: id, name: 'more', ...wanted }, 'cli:test');
    },
  };
}
