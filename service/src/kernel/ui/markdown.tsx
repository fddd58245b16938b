import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';

import { CodeBlock, Copyable } from './copyable.tsx';
import { type Column, Table } from './table.tsx';

interface MarkdownProps {
  document: string;
  /** Returns the target of the document's link on this site; undefined: none, so that its text is shown alone. */
  linkTo?: (href: string) => string | undefined;
  /** Returns the page that describes a file which the document names; undefined if there is none. */
  pageOf?: (path: string) => string | undefined;
  /** True if code has a button that copies it. */
  isCopyable?: boolean;
}

/** Draws a document in Markdown without its title. Its headings can be linked to; HTML in it is left out. */
export function Markdown(props: MarkdownProps) {
  return <div class="manual">{new Drawing(props).all(lexer(props.document))}</div>;
}

/** Returns a link within a document or to another site; undefined for others. */
function linkWithin(href: string): string | undefined {
  return /^(?:#|https:)/.test(href) ? href : undefined;
}

/** One document being drawn. */
class Drawing {
  readonly #props: Required<Omit<MarkdownProps, 'document'>>;
  #codes = 0;

  constructor({ linkTo = linkWithin, pageOf = () => undefined, isCopyable = false }: MarkdownProps) {
    this.#props = { linkTo, pageOf, isCopyable };
  }

  all(tokens: readonly Token[] = []): ComponentChildren {
    return tokens.map((token) => (isMarkdown(token) ? this.#draw(token) : token.raw));
  }

  #draw(token: MarkedToken): ComponentChildren {
    switch (token.type) {
      case 'heading':
        return this.#heading(token);
      case 'paragraph':
        return <p>{this.all(token.tokens)}</p>;
      case 'list':
        return token.ordered ? <ol>{this.all(token.items)}</ol> : <ul>{this.all(token.items)}</ul>;
      case 'list_item':
        return <li>{this.all(token.tokens)}</li>;
      case 'table':
        return this.#table(token);
      case 'code':
        return this.#code(token);
      case 'codespan':
        return this.#codespan(token);
      case 'strong':
        return <strong>{this.all(token.tokens)}</strong>;
      case 'em':
        return <em>{this.all(token.tokens)}</em>;
      case 'link':
        return this.#link(token);
      case 'text':
        return token.tokens === undefined ? unescaped(token.text) : this.all(token.tokens);
      case 'escape':
        return unescaped(token.text);
      case 'br':
        return <br />;
      case 'space':
      case 'html':
        return null;
      default:
        // Markup that our documents do not use is shown as it is written.
        return token.raw;
    }
  }

  #heading({ depth, text, tokens }: Tokens.Heading): ComponentChildren {
    const id = anchorOf(text);
    if (depth === 1) return null;
    return depth === 2 ? <h2 id={id}>{this.all(tokens)}</h2> : <h3 id={id}>{this.all(tokens)}</h3>;
  }

  #code({ text }: Tokens.Code): ComponentChildren {
    this.#codes += 1;
    const id = `code-${this.#codes}`;
    const block = <CodeBlock label={`Code ${this.#codes}: ${text.slice(0, 60)}`} id={id} code={text} />;
    return this.#props.isCopyable ? <Copyable id={id}>{block}</Copyable> : block;
  }

  #codespan({ text }: Tokens.Codespan): ComponentChildren {
    const page = this.#props.pageOf(text);
    const code = <code>{text}</code>;
    return page === undefined ? code : <a href={page}>{code}</a>;
  }

  #link({ href, tokens }: Tokens.Link): ComponentChildren {
    const target = this.#props.linkTo(href);
    return target === undefined ? this.all(tokens) : <a href={target}>{this.all(tokens)}</a>;
  }

  #table({ header, rows, align }: Tokens.Table): ComponentChildren {
    const columns = header.map(({ text }, place): Column<Tokens.TableCell[]> => ({
      head: unescaped(text.replaceAll('`', '')),
      ...(place === 0 ? { kind: 'name' } : align[place] === 'right' ? { kind: 'figure' } : {}),
      cell: (row) => this.all(row[place]?.tokens),
    }));
    return <Table columns={columns} rows={rows} />;
  }
}

/** Returns true if a token is one of Markdown's own: extensions, of which there are none here, may add others. */
function isMarkdown(token: Token): token is MarkedToken {
  return 'type' in token && 'raw' in token;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};

/** Returns a text with the entities of HTML as characters: Preact escapes it again. */
function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** Returns a heading's anchor, as code hosts name it, so that a document's own links work there and here. Pure. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');
}

/** A part of a document: the content below one heading, up to the next. */
export interface DocumentPart {
  depth: number;
  heading: string;
  /** Without markup. */
  text: string;
}

/** Returns a document's parts in their order, the first one below its title. Pure. */
export function partsOf(document: string): DocumentPart[] {
  const parts: DocumentPart[] = [];
  for (const token of lexer(document)) {
    if (token.type === 'heading') {
      parts.push({ depth: Number(token['depth']), heading: plainText([token]), text: '' });
      continue;
    }
    const last = parts.at(-1);
    if (last !== undefined) last.text = `${last.text} ${plainText([token])}`.trim();
  }
  return parts;
}

/** Returns the text of tokens, without markup. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (!isMarkdown(token)) return token.raw;
      if (token.type === 'table') {
        return [token.header, ...token.rows]
          .map((row) => row.map((cell) => plainText(cell.tokens)).join(' '))
          .join(' ');
      }
      if (token.type === 'list') return token.items.map((item) => plainText(item.tokens)).join(' ');
      if (token.type === 'html' || token.type === 'space') return ' ';
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return 'text' in token ? unescaped(token.text) : token.raw;
    })
    .join('')
    .replaceAll(/\s+/g, ' ');
}
