import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { programOf } from './programs.ts';

const CONFIGURATIONS = fileURLToPath(new URL('../../deploy/proxies/', import.meta.url));

/** A proxy: its program, and how its file of deploy/proxies becomes one for a drill. */
export interface Proxy {
  name: string;
  program: string;
  debianPackage: string;
  versionFlag: string;
  file: string;
  /** True if it ends TLS. */
  isTls: boolean;
  /** Returns the changes of its file for a drill, as texts and their replacements; each must be there. */
  changes: (place: Place) => readonly (readonly [string, string])[];
  command: (program: string, file: string, place: Place) => readonly string[];
}

/** The surroundings of a proxy. */
export interface Place {
  folder: string;
  port: number;
  target: number;
}

const certificates = ({ folder }: Place): readonly [string, string] => ['/etc/ssl/marque/', `${folder}/`];
const target = ({ target: port }: Place): readonly [string, string] => ['127.0.0.1:8080', `127.0.0.1:${port}`];

/** The proxies, each with its file as it is but for ports, folders and names. */
export const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    program: 'nginx',
    debianPackage: 'nginx',
    versionFlag: '-v',
    file: 'nginx.conf',
    isTls: true,
    changes: (place) => [
      certificates(place),
      target(place),
      ['listen 443 ssl', `listen 127.0.0.1:${place.port} ssl`],
      ['/run/nginx.pid', `${place.folder}/nginx.pid`],
      ['/var/log/nginx/access.log', `${place.folder}/nginx.log`],
    ],
    command: (program, file) => [program, '-c', file, '-g', 'daemon off;'],
  },
  {
    name: 'Apache',
    program: 'apache2',
    debianPackage: 'apache2',
    versionFlag: '-v',
    file: 'apache.conf',
    isTls: true,
    changes: (place) => [
      certificates(place),
      target(place),
      ['Listen 443', `Listen 127.0.0.1:${place.port}`],
      ['*:443', `127.0.0.1:${place.port}`],
      ['/run/apache2/apache2.pid', `${place.folder}/apache.pid`],
      ['/var/log/apache2/error.log', `${place.folder}/apache.log`],
    ],
    command: (program, file) => [program, '-f', file, '-DFOREGROUND'],
  },
  {
    name: 'HAProxy',
    program: 'haproxy',
    debianPackage: 'haproxy',
    versionFlag: '-v',
    file: 'haproxy.cfg',
    isTls: true,
    changes: (place) => [certificates(place), target(place), ['bind :443', `bind 127.0.0.1:${place.port}`]],
    command: (program, file) => [program, '-db', '-f', file],
  },
  {
    name: 'Caddy',
    program: 'caddy',
    debianPackage: 'caddy',
    versionFlag: 'version',
    file: 'Caddyfile',
    isTls: true,
    changes: (place) => [
      target(place),
      ['{\n\tlog {', '{\n\tadmin off\n\tlog {'],
      [
        'vin.example.com {',
        `https://127.0.0.1:${place.port} {\n\ttls ${place.folder}/certificate.pem ${place.folder}/key.pem`,
      ],
    ],
    command: (program, file) => [program, 'run', '--config', file, '--adapter', 'caddyfile'],
  },
  {
    name: 'Varnish',
    program: 'varnishd',
    debianPackage: 'varnish',
    versionFlag: '-V',
    file: 'marque.vcl',
    isTls: false,
    changes: (place) => [['.port = "8080"', `.port = "${place.target}"`]],
    command: (program, file, { folder, port }) => [
      program,
      '-F',
      '-a',
      `127.0.0.1:${port}`,
      '-f',
      file,
      '-n',
      join(folder, 'varnish'),
      '-s',
      'malloc,32m',
    ],
  },
];

/** Writes a proxy's configuration for a drill. @returns its path. */
export function configure(proxy: Proxy, place: Place): string {
  let text = readFileSync(join(CONFIGURATIONS, proxy.file), 'utf8');
  for (const [from, to] of proxy.changes(place)) {
    if (!text.includes(from)) throw new Error(`deploy/proxies/${proxy.file} does not say "${from}".`);
    text = text.replaceAll(from, to);
  }
  const file = join(place.folder, proxy.file);
  writeFileSync(file, text);
  return file;
}

/** Makes a certificate for 127.0.0.1 in a folder. */
export function makeCertificate(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1`;
  const alternative = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync(programOf('openssl', 'openssl'), [...words.split(' '), ...alternative, ...files], { stdio: 'ignore' });
  writeFileSync(join(folder, 'both.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
}
