import type { FastifyReply } from 'fastify';

import { type Page, sendPage } from './html.tsx';

interface AdminPage extends Pick<Page, 'title' | 'status' | 'children'> {
  /** The path of its tab. */
  tab: string;
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
          {reply.server.tabs.admin.map(({ path, label }) => (
            <a key={path} href={path} aria-current={path === tab ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        {children}
      </>
    ),
  });
}
