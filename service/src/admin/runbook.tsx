import { existsSync, readFileSync } from 'node:fs';

import type { FastifyInstance } from 'fastify';

import { sendAdminPage } from '../kernel/ui/admin-frame.tsx';
import { anchorOf, Markdown } from '../kernel/ui/markdown.tsx';
import { linkOf, pageOf } from '../site/index.ts';

/** The operator's manual: in the clone, and in the package. */
const DOCUMENTS = ['../../../docs/operations.md', '../../docs/operations.md'].map(
  (path) => new URL(path, import.meta.url),
);

const PATH = '/admin/runbook';

/** Adds the operator's manual, so that an operator who is paged need not look for it. */
export function addRunbook(scope: FastifyInstance): void {
  const document = DOCUMENTS.find((url) => existsSync(url));
  const manual = document === undefined ? undefined : readFileSync(document, 'utf8');
  scope.get(PATH, async (_request, reply) =>
    sendAdminPage(reply, {
      tab: '/admin/system',
      title: 'Runbook',
      children:
        manual === undefined ? (
          <p class="empty">This installation came without docs/operations.md.</p>
        ) : (
          <Markdown document={manual} linkTo={linkOf} pageOf={pageOf} />
        ),
    }),
  );
}

/** Returns the link to a heading of docs/operations.md. */
export function runbookLink(heading: string): string {
  return `${PATH}#${anchorOf(heading)}`;
}
