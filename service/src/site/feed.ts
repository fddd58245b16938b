import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** An entry of a feed. */
export interface FeedEntry {
  /** Below the service's address: names the entry for good, and leads to it. */
  path: string;
  title: string;
  atMs: number;
  text: string;
}

/** A feed of one page. */
interface Feed {
  title: string;
  /** Of the page that it follows. */
  path: string;
  baseUrl: string;
  /** The time of a feed without entries, in epoch milliseconds. */
  sinceMs: number;
  /** Newest first. */
  entries: readonly FeedEntry[];
}

/** Sends an Atom feed (RFC 4287). */
export function sendFeed(reply: FastifyReply, feed: Feed): FastifyReply {
  return reply.type('application/atom+xml; charset=utf-8').send(atomOf(feed));
}

/** Writes a feed as Atom. Pure. */
export function atomOf({ title, path, baseUrl, sinceMs, entries }: Feed): string {
  const page = baseUrl + path;
  const tree = h(
    'feed',
    { xmlns: 'http://www.w3.org/2005/Atom' },
    h('id', null, page),
    h('title', null, `Marque: ${title}`),
    h('updated', null, dateOf(entries[0]?.atMs ?? sinceMs)),
    h('author', null, h('name', null, 'Marque')),
    h('link', { href: page }),
    h('link', { rel: 'self', href: `${page}.atom` }),
    entries.map((entry) =>
      h(
        'entry',
        null,
        h('id', null, baseUrl + entry.path),
        h('title', null, entry.title),
        h('updated', null, dateOf(entry.atMs)),
        h('link', { href: baseUrl + entry.path }),
        h('content', { type: 'text' }, entry.text),
      ),
    ),
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n${renderToString(tree)}\n`;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString();
}
