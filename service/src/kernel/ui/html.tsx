import { promisify } from 'node:util';
import zlib from 'node:zlib';

import type { FastifyReply } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { tagOf } from '../http/etag.ts';
import { type Encoding, encodingFor } from '../http/accepted-encoding.ts';
import { inEnglish } from './numbers.ts';
import { Document, type DocumentProps, type Viewer } from './layout.tsx';
import { PageToMake } from './page-turns.ts';
import { PageViewer } from './post-form.tsx';
import { type Theme, themeOf } from './theme.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person, as shown in the frame of a page; undefined: no one. */
    viewer: Viewer | undefined;
  }
}

/** A tenth of the size for a millisecond's work. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } };

/** A whole page. */
export interface Page extends Omit<DocumentProps, 'viewer' | 'theme'> {
  /** Default: 200. */
  status?: number | undefined;
  /** Other hosts that a form of this page may redirect to. */
  formTargets?: readonly string[];
  /**
   * True if the page contains nothing secret, and may be sent compressed: the compressed size of a secret can be
   * measured.
   */
  isPublic?: boolean;
  /** True for the page of an error, which is made at once: there may have been no turn for another one. */
  isAtOnce?: boolean;
  /** True if the page may run WebAssembly, which its policy forbids otherwise. */
  runsWasm?: boolean;
}

/**
 * Sends a page, made in a turn of its reader. Only its reader's browser may keep it, and only what this service serves
 * runs on it.
 */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { viewer } = reply.request;
  const { isPublic = false, isAtOnce = false, status = 200 } = page;
  // Makes the browser start a process, before which it paints nothing: there must be something to protect.
  if (!isPublic || viewer !== undefined) reply.header('cross-origin-opener-policy', 'same-origin');
  const make = (): string => renderPage(page, viewer, themeOf(reply.request));
  if (isAtOnce) return sendHtml(reply, make(), status, policyOf(page));
  const encoding = isPublic ? encodingFor(reply.request) : undefined;
  const made = (): string | Promise<Buffer> => {
    // Not sooner: in place of a page that waits too long an error is sent.
    if (isPublic) encodedAs(reply, encoding);
    return encoding === undefined ? make() : COMPRESS[encoding](make());
  };
  return sendHtml(reply, new PageToMake(made), status, policyOf(page));
}

/** Renders a page for its signed-in viewer; undefined: anyone else. */
function renderPage(page: Page, viewer: Viewer | undefined, theme: Theme): string {
  return `<!doctype html>${rendered(<Document {...page} viewer={viewer} theme={theme} />, viewer)}`;
}

/** Matches characters that HTML does not allow, and those that turn the direction of what follows: strangers write them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSHOWN = /[\0-\u0008\v\f\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

function rendered(node: VNode, viewer: Viewer | undefined): string {
  const html = renderToString(<PageViewer.Provider value={viewer}>{node}</PageViewer.Provider>);
  return html.replace(UNSHOWN, '\uFFFD');
}

/** Compresses a page in another thread. */
const COMPRESS: Readonly<Record<Encoding, (html: string) => Promise<Buffer>>> = {
  br: (html) => promisify(zlib.brotliCompress)(html, BROTLI),
  gzip: (html) => promisify(zlib.gzip)(html),
};

/** Compresses a page that is made once. */
function compressed(html: string, encoding: Encoding | undefined): Buffer {
  if (encoding === undefined) return Buffer.from(html);
  return encoding === 'gzip' ? zlib.gzipSync(html) : zlib.brotliCompressSync(html, BROTLI);
}

function encodedAs(reply: FastifyReply, encoding: Encoding | undefined): FastifyReply {
  reply.header('vary', 'accept-encoding');
  return encoding === undefined ? reply : reply.header('content-encoding', encoding);
}

/** A page in memory. */
interface Kept {
  page: Page;
  html: string;
  madeAtMs: number;
  /** The bodies sent, by their encoding, with their tag. */
  bodies: Map<Encoding | undefined, { body: Buffer; tag: string }>;
}

/** Stands for the id of a page's viewer in memory. */
const ANY_ID = '5c1f1f7e-7d0c-4d5e-9a0b-3b1f6f0c2a47';

/**
 * Public pages that are the same for all visitors who are not signed in, for all people who are, and for all
 * administrators: each is rendered and compressed once, and sent from memory.
 */
export class CachedPages {
  readonly #pages = new Map<string, Kept>();
  readonly #keepMs: number;

  /** @param keepMs how old a page may be that is sent. */
  constructor(keepMs = Infinity) {
    this.#keepMs = keepMs;
  }

  /**
   * Sends a page.
   *
   * @param name identifies it among the pages that are cached here; there must be few.
   * @param make makes it anew, the same for all readers of a kind.
   */
  send(reply: FastifyReply, name: string, make: () => Page): FastifyReply {
    const { viewer } = reply.request;
    const anyViewer = viewer === undefined ? undefined : { ...viewer, id: ANY_ID };
    const nowMs = performance.now();
    const theme = themeOf(reply.request);
    const key = `${theme} ${kindOf(viewer)} ${name}`;
    let kept = this.#pages.get(key);
    if (kept === undefined || nowMs - kept.madeAtMs >= this.#keepMs) {
      // Made in one piece: the content may depend on the language, too.
      kept = inEnglish(() => {
        const page = make();
        return { page, html: renderPage(page, anyViewer, theme), madeAtMs: nowMs, bodies: new Map() };
      });
      this.#pages.set(key, kept);
    }
    const { page, html, bodies } = kept;
    const status = page.status ?? 200;
    if (viewer !== undefined) {
      reply.header('cross-origin-opener-policy', 'same-origin');
      if (page.isPublic !== true) {
        return sendHtml(reply, html.replaceAll(ANY_ID, viewer.id), status, policyOf(page));
      }
    }
    const encoding = encodingFor(reply.request);
    let sent = bodies.get(encoding);
    if (sent === undefined) {
      const body = compressed(html, encoding);
      sent = { body, tag: tagOf(body) };
      bodies.set(encoding, sent);
    }
    if (keepsTag(reply)) reply.header('etag', sent.tag);
    return sendHtml(encodedAs(reply, encoding), sent.body, status, policyOf(page));
  }
}

function kindOf(viewer: Viewer | undefined): string {
  if (viewer === undefined) return 'visitor';
  return viewer.isAdministrator ? 'administrator' : 'person';
}

interface NarrowPage extends Pick<Page, 'title' | 'current' | 'status' | 'isAtOnce'> {
  /** Above the page; default: its title. */
  heading?: string;
}

/** Sends a page of one column with its heading: for forms and short messages. */
export function sendNarrowPage(reply: FastifyReply, page: NarrowPage, children: ComponentChildren): FastifyReply {
  const { heading = page.title, ...rest } = page;
  const column = (
    <>
      <h1>{heading}</h1>
      {children}
    </>
  );
  return sendPage(reply, { ...rest, isNarrow: true, children: column });
}

/** Sends a part of a page, to be put in place by htmx; that of an error is made at once. */
export function sendPart(reply: FastifyReply, part: VNode, status = 200): FastifyReply {
  // An answer without it came from an intermediary, such as a proxy's error page, and the script shows none of it.
  reply.header('marque-part', 'yes');
  const make = (): string => rendered(part, reply.request.viewer);
  return sendHtml(reply, status === 200 ? new PageToMake(make) : make(), status, policyOf({}));
}

function sendHtml(
  reply: FastifyReply,
  html: string | Buffer | PageToMake,
  status: number,
  policyText: string,
): FastifyReply {
  return (
    reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', keepsTag(reply) ? 'private, no-cache' : 'no-store')
      .header('content-security-policy', policyText)
      // Not no-referrer: browsers would then hide the origin of forms, too.
      .header('referrer-policy', 'same-origin')
      .header('permissions-policy', 'camera=(self), geolocation=(), microphone=(), payment=()')
      .send(html)
  );
}

function keepsTag(reply: FastifyReply): boolean {
  return reply.request.routeOptions.config.etag === true;
}

function policyOf({ formTargets = [], runsWasm = false }: Pick<Page, 'formTargets' | 'runsWasm'>): string {
  return [
    "default-src 'none'",
    "object-src 'none'",
    runsWasm ? "script-src 'self' 'wasm-unsafe-eval'" : "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    // Browsers apply this to where a form's answer redirects, too.
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
