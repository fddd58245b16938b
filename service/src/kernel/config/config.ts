import { isIP } from 'node:net';
import { resolve } from 'node:path';

import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';

import { Environment, type EnvironmentValues } from './environment.ts';
import { defaultDataDir } from './places.ts';

/** The effective configuration. */
export type Config = ReturnType<typeof toConfig>;

/** The prices of plans on the pages; undefined: on request. */
export type PlanPrices = Config['planPrices'];

/** The configuration of payments. */
export interface BillingConfig {
  secretKey: string;
  webhookSecret: string;
  /** Prices of the plans that can be bought, by plan. */
  prices: Readonly<Record<string, string>>;
  apiUrl: string | undefined;
}

/** The destination of traces. */
export interface TracingConfig {
  /** Base of the collector's address, without a slash at the end. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** Share of the requests that are traced, 0 to 1. */
  ratio: number;
}

/** A read environment: the configuration, or one sentence for each faulty variable. */
type ConfigReading = { kind: 'config'; config: Config } | { kind: 'faulty'; faults: string[] };

/** Reads the configuration from environment variables. An empty value counts as unset. */
export function readConfig(env: NodeJS.ProcessEnv): ConfigReading {
  const { values, faults } = readVariables(env);
  const { METRICS_PORT: metricsPort, PORT: port } = values;
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port)
    faults.push('METRICS_PORT must differ from PORT.');
  if ((values['STRIPE_SECRET_KEY'] === undefined) !== (values['STRIPE_WEBHOOK_SECRET'] === undefined)) {
    faults.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: set both or none.');
  }
  if (faults.length > 0) return { kind: 'faulty', faults };
  if (!Check(Environment, values)) throw new Error('Settings without a fault do not fit their schema.');
  return { kind: 'config', config: toConfig(values, env) };
}

/** Returns the one message that a faulty configuration stops a command with. */
export function faultMessage(faults: readonly string[]): string {
  const count = faults.length === 1 ? 'One setting is' : `${faults.length} settings are`;
  return [`${count} wrong. Nothing was started.`, ...faults.map((fault) => `  ${fault}`)].join('\n');
}

const OF_STRIPE = ['STRIPE_PRICE_STARTER', 'STRIPE_PRICE_BUSINESS', 'STRIPE_API_URL'];

/** Returns a sentence for each variable that was probably meant to have an effect, and has none. */
export function settingsWithoutEffect(env: NodeJS.ProcessEnv): string[] {
  const isSet = (name: string): boolean => present(env[name]) !== undefined;
  const unused = isSet('STRIPE_SECRET_KEY') ? [] : OF_STRIPE.filter(isSet);
  return misspelledSettings(env, isSet).concat(
    unused.map((name) => `${name} has no effect without STRIPE_SECRET_KEY.`),
  );
}

/** Returns a sentence for each variable whose name is nearly that of an unset setting. */
function misspelledSettings(env: NodeJS.ProcessEnv, isSet: (name: string) => boolean): string[] {
  const unset = VARIABLES.map(([name]) => name).filter((name) => !isSet(name));
  return Object.keys(env).flatMap((name) => {
    if (!isSet(name) || name in Environment.properties) return [];
    const meant = unset.find((setting) => differsBy(mostEdits(setting), name.toUpperCase(), setting));
    return meant === undefined ? [] : [`${name} is no setting and has no effect. Set ${meant} if that was meant.`];
  });
}

/** Returns the edits by which a name may differ: too many would take PATH for PORT. */
function mostEdits({ length }: string): number {
  return length < 7 ? 0 : length < 10 ? 1 : 2;
}

/** Returns true if at most so many letters are missing, added or others. */
function differsBy(edits: number, a: string, b: string): boolean {
  if (a === b || edits === 0) return a === b;
  if (a[0] === b[0]) return differsBy(edits, a.slice(1), b.slice(1));
  const [restA, restB] = [a.slice(1), b.slice(1)];
  return differsBy(edits - 1, restA, b) || differsBy(edits - 1, a, restB) || differsBy(edits - 1, restA, restB);
}

/** One effective setting as `marque config` prints it. */
interface Setting {
  name: string;
  /** The effective value, secrets masked; null: unset. */
  value: string | number | null;
  from: 'environment' | 'default';
  description: string;
}

/** Returns every setting with its effective value, passwords replaced by `***`. Faulty values are shown unchanged. */
export function effectiveSettings(env: NodeJS.ProcessEnv): Setting[] {
  const { values } = readVariables(env);
  return VARIABLES.map(([name, schema]) => {
    const value = values[name] ?? (name === 'DATA_DIR' ? defaultDataDir(env) : null);
    return {
      name,
      value: typeof value === 'string' ? shownAs(schema, value) : value,
      from: present(env[name]) === undefined ? 'default' : 'environment',
      description: schema.description ?? '',
    };
  });
}

/** The schema of one variable, with what this file adds to TypeBox's own keywords. */
interface VariableSchema {
  type?: string;
  description?: string;
  default?: string | number;
  must?: string;
  secret?: boolean;
  format?: string;
}

const VARIABLES = Object.entries<TSchema & VariableSchema>(Environment.properties);

function readVariables(env: NodeJS.ProcessEnv): {
  values: Record<string, string | number>;
  faults: string[];
} {
  const values: Record<string, string | number> = {};
  const faults: string[] = [];
  for (const [name, schema] of VARIABLES) {
    const text = present(env[name]);
    const value = text === undefined ? schema.default : schema.type === 'integer' ? toInteger(text) : text;
    if (value === undefined) continue;
    values[name] = value;
    if (fits(schema, value)) continue;
    const found = schema.secret === true ? '' : `, not "${maskSecrets(String(text))}"`;
    const hasPassword = schema.format === 'marque-url' && String(value).includes('@');
    faults.push(`${name} must be ${schema.must}${found}.${hasPassword ? IN_PASSWORDS : ''}`);
  }
  return { values, faults };
}

const IN_PASSWORDS = ' In its user and password, write # as %23, / as %2F, ? as %3F and @ as %40.';

function fits(schema: TSchema & VariableSchema, value: string | number): boolean {
  if (schema.format === 'marque-proxies') return areProxies(String(value));
  return Check(schema, value) && (schema.format !== 'marque-url' || isUrl(String(value)));
}

/** Returns true if a text is a URL whose host is where it seems to be: a password may have ended it too early. */
function isUrl(text: string): boolean {
  const hasHostInPath = /^[a-z]+:\/\/[^/?#]*\/[^?#]*@/i.test(text);
  return URL.canParse(text) && !text.includes('#') && !hasHostInPath;
}

function present(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function toInteger(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/**
 * Returns true if a text lists addresses of proxies. Trusting every hop would let any caller write its own address, and
 * with it its own public limit.
 */
function areProxies(text: string): boolean {
  return listOf(text).every((hop) => {
    if (hop === 'loopback' || hop === 'linklocal' || hop === 'uniquelocal') return true;
    const [address = '', prefix, ...rest] = hop.split('/');
    const family = isIP(address);
    if (family === 0 || rest.length > 0) return false;
    if (prefix === undefined) return true;
    return /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (family === 4 ? 32 : 128);
  });
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** Returns a value for printing: a URL without its password; any other secret not at all. */
function shownAs({ secret }: VariableSchema, value: string): string {
  return secret === true && !value.includes('://') ? '***' : maskSecrets(value);
}

/** Shorter ones are not secrets, and would mask ordinary words. */
const LEAST_SECRET = 6;

/**
 * Returns the secrets of a configuration, in the forms in which they may be written, including that of a line of JSON.
 */
export function secretsOf({ databaseUrl, smtpUrl, enrichmentVpicUrl, billing, tracing }: Config): string[] {
  const passwords = [databaseUrl, smtpUrl, enrichmentVpicUrl, tracing?.endpoint].flatMap(passwordsIn);
  const keys = billing === undefined ? [] : [billing.secretKey, billing.webhookSecret];
  const all = passwords.concat(keys, Object.values(tracing?.headers ?? {}));
  const inJson = all.map((secret) => JSON.stringify(secret).slice(1, -1));
  return [...new Set(all.concat(inJson))]
    .filter((secret) => secret.length >= LEAST_SECRET)
    .toSorted((a, b) => b.length - a.length);
}

/** Returns the password of a URL: as written there, decoded, and as HTTP and SMTP send it. */
function passwordsIn(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return [];
  const { username, password } = new URL(url);
  if (password === '') return [];
  const [user, plain] = [decoded(username), decoded(password)];
  const sent = [`${user}:${plain}`, `\0${user}\0${plain}`, plain];
  return [password, plain].concat(sent.map((text) => Buffer.from(text).toString('base64')));
}

/** Masks the password in a URL, and query values with a secret's name. */
function maskSecrets(text: string): string {
  return text
    .replace(/^([a-z]+:\/\/[^:@/?#]*):.*@/i, '$1:***@')
    .replace(/([?&][^=&]*(?:pass|key|token|secret)[^=&]*=)[^&#]*/gi, '$1***');
}

function toConfig(values: EnvironmentValues, env: NodeJS.ProcessEnv) {
  return {
    // A name of two addresses would open a second server, without the bounds of connections.
    host: values.HOST === 'localhost' ? '127.0.0.1' : values.HOST,
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR ?? defaultDataDir(env)),
    databaseUrl: values.DATABASE_URL,
    /** Without a slash at the end; undefined: http://host:port. */
    baseUrl: values.BASE_URL?.replace(/\/+$/, ''),
    trustProxy: values.TRUST_PROXY === undefined ? [] : listOf(values.TRUST_PROXY),
    publicMonthlyLimit: values.PUBLIC_MONTHLY_LIMIT,
    /** Charged requests a month for each plan; null: no limit. */
    planLimits: {
      free: values.PLAN_LIMIT_FREE,
      starter: values.PLAN_LIMIT_STARTER,
      business: values.PLAN_LIMIT_BUSINESS,
      enterprise: values.PLAN_LIMIT_ENTERPRISE ?? null,
    },
    logLevel: values.LOG_LEVEL,
    drainSeconds: values.DRAIN_SECONDS,
    workers: values.WORKERS,
    metricsPort: values.METRICS_PORT,
    decodeLogRetentionDays: values.DECODE_LOG_RETENTION_DAYS,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    contact: values.CONTACT,
    operator: values.OPERATOR,
    governingLaw: values.GOVERNING_LAW,
    planPrices: { starter: values.PLAN_PRICE_STARTER, business: values.PLAN_PRICE_BUSINESS },
    /** Undefined: billing is not configured. */
    billing: billingOf(values),
    enrichmentVpicUrl: values.ENRICHMENT_VPIC_URL,
    enrichmentSourcesFile: values.ENRICHMENT_SOURCES_FILE,
    /** Undefined: nothing is traced. */
    tracing: tracingOf(values),
    /** True if webhooks may be sent by http and to addresses of this network. */
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE === 'yes',
    catalogFile: values.CATALOG_FILE,
    headerBrand: values.HEADER_BRAND,
  };
}

function tracingOf(values: EnvironmentValues): TracingConfig | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '');
  if (endpoint === undefined) return undefined;
  const headers = Object.fromEntries(
    (values.OTEL_EXPORTER_OTLP_HEADERS?.split(',') ?? []).map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), decoded(pair.slice(at + 1))];
    }),
  );
  return {
    endpoint,
    headers,
    serviceName: values.OTEL_SERVICE_NAME,
    ratio: Number(values.OTEL_TRACES_SAMPLER_ARG),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing is a literal one.
    return text;
  }
}

function billingOf(values: EnvironmentValues): BillingConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values;
  if (secretKey === undefined || webhookSecret === undefined) return undefined;
  const { STRIPE_PRICE_STARTER: starter, STRIPE_PRICE_BUSINESS: business } = values;
  const prices = { ...(starter === undefined ? {} : { starter }), ...(business === undefined ? {} : { business }) };
  return { secretKey, webhookSecret, prices, apiUrl: values.STRIPE_API_URL };
}
