import type { FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';

import { NoticeText } from '../../kernel/ui/fields.tsx';
import { type Page, sendPage } from '../../kernel/ui/html.tsx';
import { planName } from './plan-table.tsx';
import type { PageRequest } from './context.ts';

const TABS = [
  ['', 'Usage'],
  ['/keys', 'Keys'],
  ['/try', 'Try a VIN'],
  ['/decodes', 'Decodes'],
  ['/files', 'Files'],
  ['/reports', 'Reports'],
  ['/webhooks', 'Webhooks'],
  ['/members', 'Members'],
  ['/plan', 'Plan'],
] as const;

interface PortalPage extends Omit<Page, 'current'> {
  tab: (typeof TABS)[number][0];
  /** What the heading says below the title. */
  details?: ComponentChildren;
}

const SUSPENDED = 'This workspace is suspended: its keys are refused. Ask the operator of this service.';

/** Sends a page of a workspace in the portal's frame. */
export function sendPortalPage(
  { reply, context: { workspace, home } }: Pick<PageRequest, 'reply' | 'context'>,
  { tab, title, details, children, ...page }: PortalPage,
): FastifyReply {
  return sendPage(reply, {
    ...page,
    title: `${title}, ${workspace.slug}`,
    current: '/portal',
    children: (
      <>
        <div class="page-head">
          <p class="hint workspace">
            <span>
              <code>{workspace.slug}</code> <span class="tag">{planName(workspace.plan)}</span>
            </span>
            <a href="/portal/workspaces">Other workspaces</a>
          </p>
          <h1>{title}</h1>
          {details}
        </div>
        <nav class="tabs" aria-label="Workspace">
          {TABS.map(([path, text]) => (
            <a key={path} href={`${home}${path}`} aria-current={path === tab ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <NoticeText tone="bad" text={workspace.suspendedAtMs === null ? undefined : SUSPENDED} />
        {children}
      </>
    ),
  });
}
