import { existsSync, readFileSync } from 'node:fs';

import type { FastifyInstance } from 'fastify';
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';

import { sendAdminPage } from '../kernel/ui/admin-frame.tsx';

/** The operator's manual: in the clone, and in the package. */
const DOCUMENTS = ['../../../docs/operations.md', '../../docs/operations.md'].map(
  (path) => new URL(path, import.meta.url),
);

const PATH = '/admin/runbook';

/** Adds the operator's manual, so that who is paged need not look for it. */
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
          <Manual document={manual} />
        ),
    }),
  );
}

/** Where the manual says what to do: a heading of docs/operations.md. */
export function runbookLink(heading: string): string {
  return `${PATH}#${anchorOf(heading)}`;
}

/**
 * A document in Markdown without its title. Its headings can be linked to; other documents of the project are not served, so that
 * links to them are text.
 */
export function Manual({ document }: { document: string }) {
  return <div class="manual">{drawn(lexer(document))}</div>;
}

function drawn(tokens: readonly Token[] = []): ComponentChildren {
  return tokens.map((token) => (isMarkdown(token) ? draw(token) : token.raw));
}

/** Whether a token is one of Markdown's own: extensions, of which there is none here, may add others. */
function isMarkdown(token: Token): token is MarkedToken {
  return 'type' in token && 'raw' in token;
}

function draw(token: MarkedToken): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return heading(token);
    case 'paragraph':
      return <p>{drawn(token.tokens)}</p>;
    case 'list':
      return token.ordered ? <ol>{drawn(token.items)}</ol> : <ul>{drawn(token.items)}</ul>;
    case 'list_item':
      return <li>{drawn(token.tokens)}</li>;
    case 'table':
      return table(token);
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'codespan':
      return <code>{token.text}</code>;
    case 'strong':
      return <strong>{drawn(token.tokens)}</strong>;
    case 'link':
      return /^(?:#|https:)/.test(token.href) ? <a href={token.href}>{drawn(token.tokens)}</a> : drawn(token.tokens);
    case 'text':
      return token.tokens === undefined ? token.text : drawn(token.tokens);
    case 'space':
      return null;
    default:
      // What the manual does not use is shown as it is written.
      return token.raw;
  }
}

function heading({ depth, text, tokens }: Tokens.Heading): ComponentChildren {
  const id = anchorOf(text);
  if (depth === 1) return null;
  return depth === 2 ? <h2 id={id}>{drawn(tokens)}</h2> : <h3 id={id}>{drawn(tokens)}</h3>;
}

function table({ header, rows }: Tokens.Table): ComponentChildren {
  return (
    <table>
      <thead>
        <tr>
          {header.map(({ text, tokens }) => (
            <th key={text}>{drawn(tokens)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr key={cells[0]?.text}>
            {cells.map(({ text, tokens }) => (
              <td key={text}>{drawn(tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** As code hosts name headings, so that the document's own links work there and here. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}
