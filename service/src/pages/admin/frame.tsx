import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';

import { viewerOf } from '../../features/accounts/guard.ts';
import { sendPage } from '../../platform/ui/html.tsx';

const TABS = [
  ['/admin', 'Corrections'],
  ['/admin/workspaces', 'Workspaces'],
  ['/admin/system', 'System'],
  ['/admin/audit', 'Audit log'],
] as const;

/** Sends a page of administration in its frame. */
export function sendAdminPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: { tab: (typeof TABS)[number][0]; title: string; status?: number; children: ComponentChildren },
): FastifyReply {
  return sendPage(
    reply,
    {
      title: page.title,
      viewer: viewerOf(request),
      current: '/admin',
      children: (
        <>
          <h1>
            <span class="hint workspace">Administration</span>
            {page.title}
          </h1>
          <nav class="tabs" aria-label="Administration">
            {TABS.map(([href, text]) => (
              <a key={href} href={href} aria-current={href === page.tab ? 'page' : undefined}>
                {text}
              </a>
            ))}
          </nav>
          {page.children}
        </>
      ),
    },
    page.status ?? 200,
  );
}
