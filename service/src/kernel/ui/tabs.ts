import type { FastifyInstance } from 'fastify';

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
  }
}

/** Says which tabs the frames of a scope's pages show. */
export function setTabs(scope: FastifyInstance, tabs: readonly Partial<Record<TabbedArea, readonly Tab[]>>[]): void {
  const inOrder = (area: TabbedArea): Tab[] =>
    tabs.flatMap((of) => of[area] ?? []).toSorted((one, other) => one.place - other.place);
  scope.decorate('tabs', { portal: inOrder('portal'), admin: inOrder('admin') });
}
