import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/index.ts';
import type { LoopTurns } from '../limits/loop-turns.ts';
import type { OpenRateLimit } from '../limits/token-buckets.ts';
import type { Failures, Latency } from './vitals.ts';
import type { FlashMessages } from './flash.ts';

/** The dependencies of every page, besides those of its slice. */
export interface PageKit {
  config: Config;
  database: Database;
  clock: Clock;
  /** Opens a limit of how often clients do something. */
  rateLimit: OpenRateLimit;
  /** The network that a request comes from, proxies seen through. */
  networkOf: (request: FastifyRequest) => string;
  /** Returns the public address of the service, for links in mails. */
  baseUrl: () => string;
  flash: FlashMessages;
  /** The turns in which pages are made: many take no more than a share of the event loop. */
  turns: Pick<LoopTurns, 'next'>;
  /** Resolves to the decodes that a usage account was charged for this month. */
  used: (subject: string) => Promise<number>;
  latency: Latency;
  failures: Pick<Failures, 'latest'>;
}

/** A tab of the portal or of administration. */
export interface Tab {
  /** Below the workspace's address in the portal; the whole path in administration. */
  path: string;
  label: string;
  /** Its place among the tabs: lower ones come first. */
  place: number;
}

/** The areas that have tabs. */
export type TabbedArea = 'portal' | 'admin';

declare module 'fastify' {
  interface FastifyInstance {
    /** The tabs of each area, in order. Set where pages are. */
    tabs: Readonly<Record<TabbedArea, readonly Tab[]>>;
    /** The operator's contact; undefined if no one is named. Set with the routes of pages. */
    contact: string | undefined;
  }
}

/** Sets the tabs that the frames of a scope's pages show. */
export function setTabs(scope: FastifyInstance, tabs: readonly Partial<Record<TabbedArea, readonly Tab[]>>[]): void {
  const inOrder = (area: TabbedArea): Tab[] =>
    tabs.flatMap((of) => of[area] ?? []).toSorted((one, other) => one.place - other.place);
  scope.decorate('tabs', { portal: inOrder('portal'), admin: inOrder('admin') });
}
