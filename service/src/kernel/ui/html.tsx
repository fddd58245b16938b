import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import type { FastifyReply } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { encodingFor } from './assets.ts';
import { Document, type DocumentProps, type Viewer } from './layout.tsx';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, as the frame of a page shows it; undefined: no one. */
    viewer: Viewer | undefined;
  }
}

/** A tenth of the size for a millisecond's work. */
const COMPRESSION = 4;

/** A whole page. */
export interface Page extends Omit<DocumentProps, 'viewer'> {
  /** Default: 200. */
  status?: number | undefined;
  /** Other hosts that a form of this page may redirect to. */
  formTargets?: readonly string[];
  /** Whether the page holds nothing secret, and may be sent compressed: what a secret compresses to can be measured. */
  isPublic?: boolean;
  /** Whether the page may run WebAssembly, which its policy forbids otherwise. */
  runsWasm?: boolean;
}

/** Sends a page. Only its reader's browser may keep it, and only what this service serves runs on it. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const { formTargets = [], isPublic = false, runsWasm = false, status = 200, ...rest } = page;
  const { viewer } = reply.request;
  // Makes the browser start a process, before which it paints nothing: there must be something to protect.
  if (!isPublic || viewer !== undefined) reply.header('cross-origin-opener-policy', 'same-origin');
  const policyText = policy(formTargets, runsWasm);
  const html = `<!doctype html>${renderToString(<Document {...rest} viewer={viewer} />)}`;
  if (!isPublic) return sendHtml(reply, html, status, policyText);
  reply.header('vary', 'accept-encoding');
  const encoding = encodingFor(reply.request);
  if (encoding === undefined) return sendHtml(reply, html, status, policyText);
  const small =
    encoding === 'br'
      ? brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: COMPRESSION } })
      : gzipSync(html);
  return sendHtml(reply.header('content-encoding', encoding), small, status, policyText);
}

interface NarrowPage extends Pick<Page, 'title' | 'current' | 'status'> {
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

/** Sends a part of a page, to be put in place by htmx. */
export function sendPart(reply: FastifyReply, part: VNode, status = 200): FastifyReply {
  // What lacks it came from something in between, a proxy's error page for one, and the script shows none of it.
  reply.header('marque-part', 'yes');
  return sendHtml(reply, renderToString(part), status, policy([], false));
}

function sendHtml(reply: FastifyReply, html: string | Buffer, status: number, policyText: string): FastifyReply {
  const keepsTag = reply.request.routeOptions.config.etag === true;
  return (
    reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', keepsTag ? 'private, no-cache' : 'no-store')
      .header('content-security-policy', policyText)
      // Not no-referrer: browsers would then hide the origin of forms, too.
      .header('referrer-policy', 'same-origin')
      .header('permissions-policy', 'camera=(self), geolocation=(), microphone=(), payment=()')
      .send(html)
  );
}

function policy(formTargets: readonly string[], runsWasm: boolean): string {
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
