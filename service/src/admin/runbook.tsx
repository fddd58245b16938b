import { existsSync, readFileSync } from 'node:fs';

import type { FastifyInstance } from 'fastify';
import { Marked } from 'marked';

import { sendAdminPage } from '../kernel/ui/admin-frame.tsx';

/** The operator's manual: in the clone, and in the package. */
const DOCUMENTS = ['../../../docs/operations.md', '../../docs/operations.md'].map(
  (path) => new URL(path, import.meta.url),
);

const PATH = '/admin/runbook';

/** Adds the operator's manual, so that who is paged need not look for it. */
export function addRunbook(scope: FastifyInstance): void {
  const document = DOCUMENTS.find((url) => existsSync(url));
  const html = document === undefined ? undefined : runbookHtml(readFileSync(document, 'utf8'));
  scope.get(PATH, async (_request, reply) =>
    sendAdminPage(reply, {
      tab: '/admin/system',
      title: 'Runbook',
      children:
        html === undefined ? (
          <p class="empty">This installation came without docs/operations.md.</p>
        ) : (
          <div class="manual" dangerouslySetInnerHTML={{ __html: html }} />
        ),
    }),
  );
}

/** Where the manual says what to do: a heading of docs/operations.md. */
export function runbookLink(heading: string): string {
  return `${PATH}#${anchorOf(heading)}`;
}

/** The manual as HTML. Its headings can be linked to; other documents of the project are not served, so links to them are text. */
export function runbookHtml(document: string): string {
  const markdown = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const inner = this.parser.parseInline(tokens);
        return depth === 1 ? '' : `<h${depth} id="${anchorOf(text)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        return /^(?:#|https:)/.test(href) ? `<a href="${href}">${inner}</a>` : inner;
      },
    },
  });
  return markdown.parse(document, { async: false });
}

/** As code hosts name headings, so that the document's own links work there and here. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}
