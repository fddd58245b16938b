import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

/** A service of a compose file, as far as the tests look at it. */
export interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string }>;
  networks?: string[] | Record<string, { ipv4_address?: string }>;
  ports?: string[];
  volumes?: string[];
  profiles?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  deploy?: { resources: { limits: { memory: string } } };
}

/** A compose file, as far as the tests look at it. */
export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, { ipam?: { config: { subnet: string; ip_range: string }[] } }>;
  volumes: Record<string, unknown>;
}

/**
 * Reads a compose file with the variables that it names: `${NAME}`, `${NAME:-default}` and `${NAME:?message}`.
 *
 * @throws Error with the message, where a variable that is asked for is unset or empty.
 */
export function readCompose(file: string, env: Readonly<Record<string, string>>): ComposeFile {
  const fill = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? value.replaceAll(VARIABLE, (__, ...parts: string[]) => valueOf(parts, env)) : value;
  const read: unknown = parse(readFileSync(file, 'utf8'), { merge: true });
  const compose: ComposeFile = JSON.parse(JSON.stringify(read), fill);
  return compose;
}

const VARIABLE = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

function valueOf([name = '', kind, rest = '']: readonly string[], env: Readonly<Record<string, string>>): string {
  const value = env[name] ?? '';
  if (value !== '' || kind === undefined) return value;
  if (kind === '?') throw new Error(`${name}: ${rest}`);
  return rest;
}
