import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

import type { FastifyInstance } from 'fastify';

import { type Encoding, encodingFor } from '../http/accepted-encoding.ts';

const YEAR_SECONDS = 31_536_000;
const COMPRESSIBLE: ReadonlySet<string> = new Set(['image/svg+xml', 'application/wasm']);
const require = createRequire(import.meta.url);
const brotliCompress = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** The parts of the one stylesheet, in the order of the cascade. */
const STYLES = ['base', 'frame', 'landing', 'vin', 'code', 'forms', 'tables', 'charts', 'phones', 'print'] as const;

/** The folder of our own assets; the rest comes with packages. */
const OWN_FILES = fileURLToPath(new URL('../../../assets/', import.meta.url));

/** Everything that a page may load, by the name that the pages use. */
const FILES = {
  'marque.css': ownFile('styles/'),
  'marque.js': ownFile('marque.js'),
  'share.png': ownFile('share.png'),
  'plate.js': ownFile('plate.js'),
  'scan.js': ownFile('scan.js'),
  'reference.css': ownFile('reference.css'),
  'reference.js': ownFile('reference.js'),
  'icon.svg': ownFile('icon.svg'),
  'htmx.js': require.resolve('htmx.org/dist/htmx.min.js'),
  'zxing.js': zxingFile('../iife/reader/index.js'),
  'zxing.wasm': zxingFile('zxing_reader.wasm'),
  'inter.woff2': require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  'inter-ext.woff2': require.resolve('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2'),
  'mono.woff2': require.resolve('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
} as const;

/** Media types by the ending of a name. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
  woff2: 'font/woff2',
};

export type AssetName = keyof typeof FILES;

interface Asset {
  url: string;
  type: string;
  body: Buffer;
  /** True if compressing gains anything. */
  isCompressible: boolean;
  /** Compressed bodies, made at the first request for them. */
  compressed: Map<Encoding, Promise<Buffer>>;
}

const loaded = new Map<AssetName, Asset>();

/** Returns the address of an asset. It contains a hash of the content, so that browsers may keep it for good. */
export function assetUrl(name: AssetName): string {
  return assetOf(name).url;
}

/** Serves the assets. */
export function addAssets(app: FastifyInstance): void {
  const byUrl = new Map(assetNames().map((name) => [assetUrl(name), name]));
  app.get<{ Params: { file: string } }>(
    '/assets/:file',
    { schema: { hide: true }, logLevel: 'warn' },
    async (request, reply) => {
      const name = byUrl.get(`/assets/${request.params.file}`);
      if (name === undefined) return reply.callNotFound();
      const asset = assetOf(name);
      reply
        .header('content-type', asset.type)
        .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
        .header('vary', 'accept-encoding');
      const encoding = encodingFor(request);
      if (!asset.isCompressible || encoding === undefined) return reply.send(asset.body);
      return reply.header('content-encoding', encoding).send(await compressedBody(asset, encoding));
    },
  );
}

/** Returns the compressed body, made once, off the thread that answers: the reader of codes is a megabyte. */
function compressedBody({ body, compressed }: Asset, encoding: Encoding): Promise<Buffer> {
  const known = compressed.get(encoding);
  if (known !== undefined) return known;
  // The best takes 50 ms for a script, but seconds for the reader of codes.
  const quality = body.length > 200_000 ? 9 : 11;
  const begun =
    encoding === 'br'
      ? brotliCompress(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality } })
      : gzip(body, { level: 9 });
  compressed.set(encoding, begun);
  return begun;
}

function assetNames(): AssetName[] {
  return Object.keys(FILES).filter((name): name is AssetName => name in FILES);
}

function assetOf(name: AssetName): Asset {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  const body = contentOf(name, FILES[name]);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 10);
  const asset: Asset = {
    url: `/assets/${name.replace('.', `.${hash}.`)}`,
    type,
    body,
    isCompressible: type.startsWith('text/') || COMPRESSIBLE.has(type),
    compressed: new Map(),
  };
  loaded.set(name, asset);
  return asset;
}

/**
 * Returns the content of an asset. Our own are sent without comments. The stylesheet's fonts get the address with their
 * hash.
 */
function contentOf(name: AssetName, path: string): Buffer {
  if (!path.startsWith(OWN_FILES) || !/\.(?:css|js)$/.test(name)) return readFileSync(path);
  const files = name === 'marque.css' ? STYLES.map((style) => `${path}${style}.css`) : [path];
  const text = files.map((file) => readFileSync(file, 'utf8')).join('');
  const linked = text.replace(/url\(([a-z0-9-]+\.woff2)\)/g, (whole, font: string) => {
    const found = assetNames().find((known) => known === font);
    return found === undefined ? whole : `url(${assetUrl(found)})`;
  });
  return Buffer.from(withoutComments(linked));
}

/** Removes whole lines of comments only, so that no string is changed. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\*[^]*?\*\/|\/\/.*)\n/gm, '').replaceAll(/^\s+/gm, '');
}

function ownFile(name: string): string {
  return `${OWN_FILES}${name}`;
}

/** Returns a file of the bar code reader, by its path from the package's main file. */
function zxingFile(path: string): string {
  return fileURLToPath(new URL(path, pathToFileURL(require.resolve('zxing-wasm/reader/zxing_reader.wasm'))));
}
