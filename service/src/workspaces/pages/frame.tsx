import type { FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';

import { AskOperator } from '../../kernel/ui/contact.tsx';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { type Page, sendPage } from '../../kernel/ui/html.tsx';
import { planName } from './plan-table.tsx';
import type { PageRequest } from './context.ts';

interface PortalPage extends Omit<Page, 'current'> {
  /** The path of its tab, below the workspace's address. */
  tab: string;
  /** What the heading says below the title. */
  details?: ComponentChildren;
}

function Suspended({ contact }: { contact: string | undefined }) {
  return (
    <>
      This workspace is suspended: its keys are refused.
      {contact === undefined ? null : (
        <>
          {' '}
          To have it opened, <AskOperator contact={contact} />.
        </>
      )}
    </>
  );
}

/** The page that leads a new workspace to its first answers, below the workspace's address. */
export const FIRST_STEPS = '/start';

/** Sends a page of a workspace in the portal's frame. */
export function sendPortalPage(
  { reply, context: { workspace, home } }: Pick<PageRequest, 'reply' | 'context'>,
  { tab, title, details, children, ...page }: PortalPage,
): FastifyReply {
  return sendPage(reply, {
    ...page,
    title: `${title}, ${workspace.name}`,
    current: '/portal',
    children: (
      <>
        <div class="page-head">
          <p class="hint workspace">
            <span>
              {workspace.name === workspace.slug ? null : `${workspace.name} `}
              <code>{workspace.slug}</code> <span class="tag">{planName(workspace.plan)}</span>
            </span>
            <span class="acts">
              {workspace.hasFirstSteps && tab !== FIRST_STEPS ? (
                <a href={`${home}${FIRST_STEPS}`}>First steps</a>
              ) : null}
              <a href="/portal/workspaces">Workspaces</a>
            </span>
          </p>
          <h1>{title}</h1>
          {details}
        </div>
        <nav class="tabs" aria-label="Workspace">
          {reply.server.tabs.portal.map(({ path, label }) => (
            <a key={path} href={`${home}${path}`} aria-current={path === tab ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        {workspace.suspendedAtMs === null ? null : (
          <NoticeText tone="bad" text={<Suspended contact={reply.server.contact} />} />
        )}
        {children}
      </>
    ),
  });
}
