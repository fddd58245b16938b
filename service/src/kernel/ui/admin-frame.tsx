import type { FastifyReply } from 'fastify';

import { type Page, sendPage } from './html.tsx';

const TABS = [
  ['/admin', 'Corrections'],
  ['/admin/workspaces', 'Workspaces'],
  ['/admin/system', 'System'],
  ['/admin/audit', 'Audit log'],
] as const;

interface AdminPage extends Pick<Page, 'title' | 'status' | 'children'> {
  tab: (typeof TABS)[number][0];
}

/** Sends a page of administration in its frame. */
export function sendAdminPage(reply: FastifyReply, { tab, title, status, children }: AdminPage): FastifyReply {
  return sendPage(reply, {
    title,
    current: '/admin',
    status,
    children: (
      <>
        <h1>
          <span class="hint workspace">Administration</span>
          {title}
        </h1>
        <nav class="tabs" aria-label="Administration">
          {TABS.map(([href, text]) => (
            <a key={href} href={href} aria-current={href === tab ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        {children}
      </>
    ),
  });
}
