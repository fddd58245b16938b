import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import type { FastifyInstance } from 'fastify';

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const YEAR_SECONDS = 31_536_000;
const require = createRequire(import.meta.url);

/** Everything that a page may load, by the name that the pages use. */
const FILES = {
  'marque.css': { type: 'text/css; charset=utf-8', path: ownFile('marque.css') },
  'marque.js': { type: 'text/javascript; charset=utf-8', path: ownFile('marque.js') },
  'share.png': { type: 'image/png', path: ownFile('share.png') },
  'reference.js': { type: 'text/javascript; charset=utf-8', path: ownFile('reference.js') },
  'icon.svg': { type: 'image/svg+xml', path: ownFile('icon.svg') },
  'htmx.js': { type: 'text/javascript; charset=utf-8', path: require.resolve('htmx.org/dist/htmx.min.js') },
  'inter.woff2': {
    type: 'font/woff2',
    path: require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  },
  'inter-ext.woff2': {
    type: 'font/woff2',
    path: require.resolve('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'),
  },
  'mono.woff2': {
    type: 'font/woff2',
    path: require.resolve('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
  },
} as const satisfies Record<string, { type: string; path: string }>;

export type AssetName = keyof typeof FILES;

interface Asset {
  url: string;
  type: string;
  body: Buffer;
  /** The body compressed, made when somebody first asks; undefined where compressing gains nothing. */
  brotli: () => Buffer | undefined;
  gzip: () => Buffer | undefined;
}

const loaded = new Map<AssetName, Asset>();

/** Address of an asset. It holds a hash of the content, so that browsers may keep it for good. */
export function assetUrl(name: AssetName): string {
  return assetOf(name).url;
}

/** Serves the assets. */
export function addAssets(app: FastifyInstance): void {
  const byUrl = new Map(assetNames().map((name) => [assetUrl(name), name]));
  app.get<{ Params: { file: string } }>(
    '/assets/:file',
    { schema: { hide: true }, logLevel: 'warn' },
    (request, reply) => {
      const name = byUrl.get(`/assets/${request.params.file}`);
      if (name === undefined) return reply.callNotFound();
      const { type, body, brotli, gzip } = assetOf(name);
      reply
        .header('content-type', type)
        .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
        .header('vary', 'accept-encoding');
      const accepted = request.headers['accept-encoding'] ?? '';
      const [encoding, packed] = /\bbr\b/.test(accepted)
        ? ['br', brotli()]
        : /\bgzip\b/.test(accepted)
          ? ['gzip', gzip()]
          : [];
      return packed === undefined ? reply.send(body) : reply.header('content-encoding', encoding).send(packed);
    },
  );
}

function assetNames(): AssetName[] {
  return Object.keys(FILES).filter((name): name is AssetName => name in FILES);
}

function assetOf(name: AssetName): Asset {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const { type, path } = FILES[name];
  const body = contentOf(name, path);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 10);
  const isText = type.startsWith('text/') || type === 'image/svg+xml';
  const asset: Asset = {
    url: `/assets/${name.replace('.', `.${hash}.`)}`,
    type,
    body,
    brotli: once(() => (isText ? brotliCompressSync(body, BROTLI) : undefined)),
    gzip: once(() => (isText ? gzipSync(body, { level: 9 }) : undefined)),
  };
  loaded.set(name, asset);
  return asset;
}

function once(make: () => Buffer | undefined): () => Buffer | undefined {
  let made: { packed: Buffer | undefined } | undefined;
  return () => (made ??= { packed: make() }).packed;
}

/** The stylesheet names fonts by their plain name: they get the address that holds their hash. */
function contentOf(name: AssetName, path: string): Buffer {
  const body = readFileSync(path);
  if (name !== 'marque.css') return body;
  const css = body.toString().replace(/url\(([a-z0-9-]+\.woff2)\)/g, (whole, font: string) => {
    const found = assetNames().find((known) => known === font);
    return found === undefined ? whole : `url(${assetUrl(found)})`;
  });
  return Buffer.from(css);
}

function ownFile(name: string): string {
  return new URL(`../../../assets/${name}`, import.meta.url).pathname;
}
