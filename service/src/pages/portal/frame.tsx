import type { FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';

import { viewerOf } from '../../features/accounts/guard.ts';
import type { AssetName } from '../../platform/ui/assets.ts';
import { Notice } from '../../platform/ui/fields.tsx';
import { sendPage } from '../../platform/ui/html.tsx';
import { planName } from '../shared/plan-table.tsx';
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

/** Sends a page of a workspace in the portal's frame. */
export function sendPortalPage(
  { request, reply, context }: PageRequest,
  page: {
    tab: (typeof TABS)[number][0];
    title: string;
    /** What the heading says below the title. */
    details?: ComponentChildren;
    status?: number;
    formTargets?: readonly string[];
    refreshSeconds?: number;
    scripts?: readonly AssetName[];
    runsWasm?: boolean;
    children: ComponentChildren;
  },
): FastifyReply {
  const { workspace } = context;
  const home = `/portal/${workspace.slug}`;
  return sendPage(
    reply,
    {
      title: `${page.title}, ${workspace.slug}`,
      viewer: viewerOf(request),
      current: '/portal',
      ...(page.formTargets === undefined ? {} : { formTargets: page.formTargets }),
      ...(page.scripts === undefined ? {} : { scripts: page.scripts }),
      ...(page.runsWasm === undefined ? {} : { runsWasm: page.runsWasm }),
      ...(page.refreshSeconds === undefined ? {} : { refreshSeconds: page.refreshSeconds }),
      children: (
        <>
          <div class="page-head">
            <p class="hint workspace">
              <span>
                <code>{workspace.slug}</code> <span class="tag">{planName(workspace.plan)}</span>
              </span>
              <a href="/portal/workspaces">Other workspaces</a>
            </p>
            <h1>{page.title}</h1>
            {page.details}
          </div>
          <nav class="tabs" aria-label="Workspace">
            {TABS.map(([path, text]) => (
              <a key={path} href={`${home}${path}`} aria-current={path === page.tab ? 'page' : undefined}>
                {text}
              </a>
            ))}
          </nav>
          {workspace.suspendedAtMs === null ? null : (
            <Notice tone="bad">
              <p>This workspace is suspended: its keys are refused. Ask the operator of this service.</p>
            </Notice>
          )}
          {page.children}
        </>
      ),
    },
    page.status ?? 200,
  );
}
