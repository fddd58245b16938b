import type { FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';

import { AskOperator } from '../../kernel/ui/contact.tsx';
import { NoticeText } from '../../kernel/ui/fields.tsx';
import { type Page, sendPage } from '../../kernel/ui/html.tsx';
import { planName } from './plan-table.tsx';
import { QuotaNotice } from './quota-notice.tsx';
import type { PageRequest } from './context.ts';

interface PortalPage extends Omit<Page, 'current'> {
  /** The path of its tab, below the workspace's address. */
  tab: string;
  /** Text below the title. */
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

/** Tabs whose places begin with the same ten stand together. */
const TABS_OF_A_GROUP = 10;

/** Links to the answer of each page's likely question, by the path of its tab. */
export const HELP: Readonly<Record<string, { href: string; text: string }>> = {
  '': { href: '/docs/guides/questions#what-is-charged', text: 'What is charged?' },
  '/try': { href: '/docs/guides/questions#why-is-a-field-missing', text: 'Why is a field missing?' },
  '/decodes': { href: '/docs/guides/questions#do-answers-change', text: 'Do answers change?' },
  '/files': { href: '/docs/guides/spreadsheets', text: 'Google Sheets and Excel' },
  '/keys': { href: '/docs/guides/questions#may-i-put-a-key-into-a-web-page-or-an-app', text: 'Where a key may be' },
  '/requests': { href: '/docs#errors', text: 'What each status means' },
  '/webhooks': { href: '/docs/guides/webhooks', text: 'How to receive events' },
  '/reports': { href: '/docs/guides/corrections', text: 'What happens to a report' },
  '/plan': { href: '/docs/guides/questions#what-happens-at-the-limit-quota', text: 'What happens at the limit?' },
};

/** Sends a page of a workspace in the portal's frame. */
export function sendPortalPage(
  { reply, context }: Pick<PageRequest, 'reply' | 'context'>,
  { tab, title, details, children, ...page }: PortalPage,
): FastifyReply {
  const { workspace, home } = context;
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
              {HELP[tab] === undefined ? null : <a href={HELP[tab].href}>{HELP[tab].text}</a>}
              <a href="/portal/workspaces">Workspaces</a>
            </span>
          </p>
          <h1>{title}</h1>
          {details}
        </div>
        <nav class="tabs" aria-label="Workspace">
          {[...Map.groupBy(reply.server.tabs.portal, ({ place }) => Math.floor(place / TABS_OF_A_GROUP)).values()].map(
            (group) => (
              <div key={group[0]?.path} class="tab-group">
                {group.map(({ path, label }) => (
                  <a key={path} href={`${home}${path}`} aria-current={path === tab ? 'page' : undefined}>
                    {label}
                  </a>
                ))}
              </div>
            ),
          )}
        </nav>
        {workspace.suspendedAtMs === null ? null : (
          <NoticeText tone="bad" text={<Suspended contact={reply.server.contact} />} />
        )}
        <QuotaNotice {...context} />
        {children}
      </>
    ),
  });
}
