import { isIP } from 'node:net';

import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

import type { PlanLimits } from './access/index.ts';
import type { Plan } from './db/index.ts';

const MONTHLY_LIMIT = { minimum: 0, maximum: 1_000_000_000, must: 'a whole number from 0 to 1000000000' };
const PORT = { minimum: 0, maximum: 65_535, must: 'a whole number from 0 to 65535' };
const HTTP_URL = '^https?://[^\\s/]+[^\\s]*$';

/**
 * Every environment variable that the service reads. `must` says in words what the schema asks for; `secret` values
 * are never printed whole.
 */
const Environment = Type.Object({
  HOST: Type.String({
    pattern: '^[A-Za-z0-9_.:-]{1,253}$',
    default: '127.0.0.1',
    must: 'an address or a host name',
    description: 'Address to listen on; 0.0.0.0 or :: for every interface.',
  }),
  PORT: Type.Integer({ ...PORT, default: 8080, description: 'Port to listen on; 0 takes a free one.' }),
  DATA_DIR: Type.String({
    pattern: '^[^\\0]+$',
    default: './var',
    must: 'a path',
    description: 'Folder of the SQLite database and its secrets.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://[^\\s/]+[^\\s]*$',
      must: 'a URL like postgres://user:password@host:5432/database',
      secret: true,
      description: 'PostgreSQL database; unset: SQLite in DATA_DIR.',
    }),
  ),
  BASE_URL: Type.Optional(
    Type.String({
      pattern: HTTP_URL,
      must: 'a URL like https://vin.example.com',
      description: 'Where clients reach the service; unset: http://HOST:PORT.',
    }),
  ),
  TRUST_PROXY: Type.Optional(
    Type.String({
      format: 'marque-proxies',
      must: 'a list of proxy addresses or networks like 10.0.0.5,192.168.0.0/16 (or loopback, linklocal, uniquelocal), never everything',
      description: 'Proxies whose X-Forwarded-For is believed; unset: none.',
    }),
  ),
  PUBLIC_MONTHLY_LIMIT: Type.Integer({
    ...MONTHLY_LIMIT,
    default: 50,
    description: 'Decodes a month for each caller without a key.',
  }),
  PLAN_LIMIT_FREE: Type.Integer({ ...MONTHLY_LIMIT, default: 100, description: 'Decodes a month, plan free.' }),
  PLAN_LIMIT_STARTER: Type.Integer({ ...MONTHLY_LIMIT, default: 1000, description: 'Decodes a month, plan starter.' }),
  PLAN_LIMIT_BUSINESS: Type.Integer({
    ...MONTHLY_LIMIT,
    default: 5000,
    description: 'Decodes a month, plan business.',
  }),
  PLAN_LIMIT_ENTERPRISE: Type.Optional(
    Type.Integer({ ...MONTHLY_LIMIT, description: 'Decodes a month, plan enterprise; unset: no limit.' }),
  ),
  LOG_LEVEL: Type.String({
    pattern: '^(trace|debug|info|warn|error|fatal|silent)$',
    default: 'info',
    must: 'one of trace, debug, info, warn, error, fatal, silent',
    description: 'Least level that is logged.',
  }),
  METRICS_PORT: Type.Optional(Type.Integer({ ...PORT, description: 'Port of /metrics; unset: off.' })),
  DECODE_LOG_RETENTION_DAYS: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 90,
    must: 'a whole number from 1 to 36500',
    description: 'Days that stored decodes are kept.',
  }),
  SMTP_URL: Type.Optional(
    Type.String({
      pattern: '^smtps?://[^\\s/]+[^\\s]*$',
      must: 'a URL like smtp://user:password@host:587',
      secret: true,
      description: 'Mail server; unset: no mail is sent.',
    }),
  ),
  CONTACT: Type.Optional(
    Type.String({
      pattern: '^[^\\r\\n]{3,254}$',
      must: 'an address that people can write to',
      description: 'Whom the pages name for questions and plans; unset: whoever runs the service.',
    }),
  ),
  STRIPE_SECRET_KEY: Type.Optional(
    Type.String({
      pattern: '^[^\\s]{8,255}$',
      must: 'a secret key of Stripe',
      secret: true,
      description: 'Lets subscribers pay for a plan through Stripe; unset: administrators change plans.',
    }),
  ),
  STRIPE_WEBHOOK_SECRET: Type.Optional(
    Type.String({
      pattern: '^[^\\s]{8,255}$',
      must: 'the signing secret of the webhook',
      secret: true,
      description: 'Proves that what arrives at /billing/stripe comes from Stripe.',
    }),
  ),
  STRIPE_PRICE_STARTER: Type.Optional(
    Type.String({ pattern: '^[\\w-]{3,255}$', must: 'the id of a price', description: 'Price of the plan starter.' }),
  ),
  STRIPE_PRICE_BUSINESS: Type.Optional(
    Type.String({ pattern: '^[\\w-]{3,255}$', must: 'the id of a price', description: 'Price of the plan business.' }),
  ),
  STRIPE_API_URL: Type.Optional(
    Type.String({ pattern: HTTP_URL, must: 'a URL', description: "Another address for Stripe's API, for tests." }),
  ),
  ENRICHMENT_VPIC_URL: Type.Optional(
    Type.String({
      pattern: HTTP_URL,
      must: 'a URL like https://vpic.nhtsa.dot.gov/api',
      description: 'vPIC service that slower look-ups ask; unset: none.',
    }),
  ),
  ENRICHMENT_SOURCES_FILE: Type.Optional(
    Type.String({
      pattern: '^[^\\0]+$',
      must: 'a path',
      description: 'YAML or JSON file of further sources to look VINs up at; unset: none. See docs/enrichment.md.',
    }),
  ),
  CATALOG_FILE: Type.Optional(
    Type.String({ pattern: '^[^\\0]+$', must: 'a path', description: 'Catalog to decode with; unset: the one built.' }),
  ),
  HEADER_BRAND: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9]{0,31}$',
    default: 'Service',
    must: 'up to 32 letters and digits, a letter first',
    description: 'The word in the headers X-Service-Auth and X-Service-Client.',
  }),
});

type EnvironmentValues = Static<typeof Environment>;

/** The effective configuration. */
export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Without a slash at the end; undefined: http://host:port. */
  baseUrl: string | undefined;
  /** Addresses, networks and names that proxy-addr knows. */
  trustProxy: readonly string[];
  publicMonthlyLimit: number;
  planLimits: PlanLimits;
  logLevel: string;
  metricsPort: number | undefined;
  decodeLogRetentionDays: number;
  smtpUrl: string | undefined;
  contact: string | undefined;
  /** Undefined: plans are not paid for here. */
  billing: BillingConfig | undefined;
  enrichmentVpicUrl: string | undefined;
  enrichmentSourcesFile: string | undefined;
  catalogFile: string | undefined;
  headerBrand: string;
}

/** How plans are paid for. */
export interface BillingConfig {
  secretKey: string;
  webhookSecret: string;
  /** Prices of the plans that can be bought. */
  prices: Readonly<Partial<Record<Plan, string>>>;
  apiUrl: string | undefined;
}

/** A read environment: the configuration, or one sentence for each faulty variable. */
export type ConfigReading = { kind: 'config'; config: Config } | { kind: 'faulty'; faults: string[] };

/** Reads the configuration from environment variables. An empty value counts as unset. */
export function readConfig(env: NodeJS.ProcessEnv): ConfigReading {
  const { values, faults } = readVariables(env);
  if (
    values['METRICS_PORT'] !== undefined &&
    values['METRICS_PORT'] !== 0 &&
    values['METRICS_PORT'] === values['PORT']
  ) {
    faults.push('METRICS_PORT must differ from PORT.');
  }
  if ((values['STRIPE_SECRET_KEY'] === undefined) !== (values['STRIPE_WEBHOOK_SECRET'] === undefined)) {
    faults.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together: set both or none.');
  }
  if (faults.length > 0) return { kind: 'faulty', faults };
  return { kind: 'config', config: toConfig(Value.Parse(Environment, values)) };
}

/** The one message that a faulty configuration stops a command with. */
export function faultMessage(faults: readonly string[]): string {
  const count = faults.length === 1 ? 'One setting is' : `${faults.length} settings are`;
  return [`${count} wrong. Nothing was started.`, ...faults.map((fault) => `  ${fault}`)].join('\n');
}

/** One effective setting as `marque config` prints it. */
export interface Setting {
  name: string;
  /** The effective value, secrets masked; null: unset. */
  value: string | number | null;
  from: 'environment' | 'default';
  description: string;
}

/** Every setting with its effective value, passwords replaced by `***`. Faulty values are shown as they stand. */
export function effectiveSettings(env: NodeJS.ProcessEnv): Setting[] {
  const { values } = readVariables(env);
  return VARIABLES.map(([name, schema]) => {
    const value = values[name] ?? null;
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
    const fits = schema.format === 'marque-proxies' ? areProxies(String(value)) : Value.Check(schema, value);
    if (!fits) faults.push(`${name} must be ${schema.must}${schema.secret === true ? '' : `, not "${text}"`}.`);
  }
  return { values, faults };
}

function present(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function toInteger(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Trusting every hop would let any caller write its own address, and with it its own public limit. */
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

/** A URL is shown without its password; any other secret is not shown at all. */
function shownAs({ secret }: VariableSchema, value: string): string {
  return secret === true && !value.includes('://') ? '***' : maskSecrets(value);
}

/** Replaces the password in a URL, and query values whose name says that they are secret. */
function maskSecrets(text: string): string {
  return text
    .replace(/^([a-z]+:\/\/[^:@/?#]*):.*@/i, '$1:***@')
    .replace(/([?&][^=&]*(?:pass|key|token|secret)[^=&]*=)[^&#]*/gi, '$1***');
}

function toConfig(values: EnvironmentValues): Config {
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    baseUrl: values.BASE_URL?.replace(/\/+$/, ''),
    trustProxy: values.TRUST_PROXY === undefined ? [] : listOf(values.TRUST_PROXY),
    publicMonthlyLimit: values.PUBLIC_MONTHLY_LIMIT,
    planLimits: {
      free: values.PLAN_LIMIT_FREE,
      starter: values.PLAN_LIMIT_STARTER,
      business: values.PLAN_LIMIT_BUSINESS,
      enterprise: values.PLAN_LIMIT_ENTERPRISE ?? null,
    },
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT,
    decodeLogRetentionDays: values.DECODE_LOG_RETENTION_DAYS,
    smtpUrl: values.SMTP_URL,
    contact: values.CONTACT,
    billing: billingOf(values),
    enrichmentVpicUrl: values.ENRICHMENT_VPIC_URL,
    enrichmentSourcesFile: values.ENRICHMENT_SOURCES_FILE,
    catalogFile: values.CATALOG_FILE,
    headerBrand: values.HEADER_BRAND,
  };
}

function billingOf(values: EnvironmentValues): BillingConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = values;
  if (secretKey === undefined || webhookSecret === undefined) return undefined;
  const { STRIPE_PRICE_STARTER: starter, STRIPE_PRICE_BUSINESS: business } = values;
  const prices = { ...(starter === undefined ? {} : { starter }), ...(business === undefined ? {} : { business }) };
  return { secretKey, webhookSecret, prices, apiUrl: values.STRIPE_API_URL };
}
