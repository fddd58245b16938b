import { type Static, type TStringOptions, Type } from 'typebox';

const PRICE = { pattern: '^[^\\r\\n]{1,40}$', must: 'a price like €29 a month' };
const MONTHLY_LIMIT = { minimum: 0, maximum: 1_000_000_000, must: 'a whole number from 0 to 1000000000' };
const PORT = { minimum: 0, maximum: 65_535, must: 'a whole number from 0 to 65535' };
const PATH = {
  pattern: '^[^~\\0][^\\0]*$',
  must: 'a path that begins with no ~: only a shell replaces that by your home folder',
};
const HTTP_URL = { format: 'marque-url', pattern: '^https?://[^\\s/]+[^\\s]*$' };

const optionalText = (schema: TStringOptions & { must: string; secret?: boolean }) =>
  Type.Optional(Type.String(schema));

/**
 * Environment variables that the service reads, all of them. `must` states the schema's requirement; `secret` values
 * are never printed whole.
 */
export const Environment = Type.Object({
  HOST: Type.String({
    pattern: '^[A-Za-z0-9_.:-]{1,253}$',
    default: '127.0.0.1',
    must: 'an address or a host name',
    description: 'Address to listen on; 0.0.0.0 or :: for every interface.',
  }),
  PORT: Type.Integer({ ...PORT, default: 8080, description: 'Port to listen on; 0 picks a free one.' }),
  DATA_DIR: optionalText({
    ...PATH,
    description:
      'Folder of the SQLite database and its secrets; unset: var in the clone, or marque in XDG_DATA_HOME if installed.',
  }),
  DATABASE_URL: optionalText({
    format: 'marque-url',
    // One host: the driver knows no list of them.
    pattern: '^postgres(ql)?://(?!.*[?&]host=[^&]*,)(?:[^\\s/]*@)?[^\\s/@,?]+(?:[/?]\\S*)?$',
    must: 'a URL like postgres://user:password@host:5432/database, with one host (of several servers, an address that leads to the primary)',
    secret: true,
    description: 'PostgreSQL database; unset: SQLite in DATA_DIR.',
  }),
  BASE_URL: optionalText({
    format: 'marque-url',
    // The links of the pages begin at the root of the host, and carry no password.
    pattern: '^https?://[^\\s/?#@]+/?$',
    must: 'a URL like https://vin.example.com, without a path',
    description: 'Where clients reach the service; unset: http://HOST:PORT.',
  }),
  TRUST_PROXY: optionalText({
    format: 'marque-proxies',
    must: 'a list of proxy addresses or networks like 10.0.0.5,192.168.0.0/16 (or loopback, linklocal, uniquelocal), never everything',
    description: 'Proxies whose X-Forwarded-For header is trusted; unset: none.',
  }),
  PUBLIC_MONTHLY_LIMIT: Type.Integer({
    ...MONTHLY_LIMIT,
    default: 100,
    description: 'Decodes per month for each network address without a key.',
  }),
  PLAN_LIMIT_FREE: Type.Integer({ ...MONTHLY_LIMIT, default: 100, description: 'Decodes per month on the free plan.' }),
  PLAN_LIMIT_STARTER: Type.Integer({
    ...MONTHLY_LIMIT,
    default: 1000,
    description: 'Decodes per month on the starter plan.',
  }),
  PLAN_LIMIT_BUSINESS: Type.Integer({
    ...MONTHLY_LIMIT,
    default: 5000,
    description: 'Decodes per month on the business plan.',
  }),
  PLAN_LIMIT_ENTERPRISE: Type.Optional(
    Type.Integer({ ...MONTHLY_LIMIT, description: 'Decodes per month on the enterprise plan; unset: no limit.' }),
  ),
  LOG_LEVEL: Type.String({
    pattern: '^(trace|debug|info|warn|error|fatal|silent)$',
    default: 'info',
    must: 'one of trace, debug, info, warn, error, fatal, silent',
    description: 'Lowest level that is logged.',
  }),
  DRAIN_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 15,
    default: 0,
    must: 'a whole number from 0 to 15',
    description:
      'Seconds that a stopping service keeps taking requests while /readyz tells load balancers to stop sending them.',
  }),
  WORKERS: Type.Integer({
    minimum: 1,
    maximum: 128,
    default: 1,
    must: 'a whole number from 1 to 128',
    description:
      'Number of processes that serve the port; about one per core, one fewer beside PostgreSQL on the same machine.',
  }),
  METRICS_PORT: Type.Optional(Type.Integer({ ...PORT, description: 'Port of /metrics; unset: off.' })),
  DECODE_LOG_RETENTION_DAYS: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 90,
    must: 'a whole number from 1 to 36500',
    description: 'Number of days that stored decodes are kept.',
  }),
  SMTP_URL: optionalText({
    format: 'marque-url',
    pattern: '^smtps?://[^\\s/]+[^\\s]*$',
    must: 'a URL like smtp://user:password@host:587',
    secret: true,
    description:
      'Mail server; unset: no mail is sent. If it offers TLS, its certificate must be trusted (NODE_EXTRA_CA_CERTS), or TLS be left out with ?ignoreTLS=true, on the same machine.',
  }),
  MAIL_FROM: optionalText({
    pattern: '^([^\\s<>@",;]+@[^\\s<>@",;]+|[^\\r\\n<>@",;]{1,100} <[^\\s<>@",;]+@[^\\s<>@",;]+>)$',
    must: 'an address like vin@example.com or Marque <vin@example.com>',
    description:
      'Sender of mail; unset: the user in SMTP_URL if it is an address, otherwise marque@ the host of the service.',
  }),
  CONTACT: optionalText({
    pattern: '^[^\\r\\n]{3,254}$',
    must: 'an address that people can write to',
    description: 'The contact that the pages show for questions and plans; unset: they name no one.',
  }),
  OPERATOR: optionalText({
    pattern: '^[^\\r\\n]{3,254}$',
    must: 'a name and a postal address in one line',
    description: 'Who runs the service, as the pages on privacy and terms say; unset: they name no one.',
  }),
  GOVERNING_LAW: optionalText({
    pattern: '^[^\\r\\n]{3,100}$',
    must: 'a phrase like the law of Ireland',
    description: 'The law that the terms name; unset: they name none.',
  }),
  PLAN_PRICE_STARTER: optionalText({
    ...PRICE,
    description: 'Price of the starter plan, as shown on the pages; unset: on request.',
  }),
  PLAN_PRICE_BUSINESS: optionalText({
    ...PRICE,
    description: 'Price of the business plan, as shown on the pages; unset: on request.',
  }),
  STRIPE_SECRET_KEY: optionalText({
    pattern: '^[^\\s]{8,255}$',
    must: 'a secret key of Stripe',
    secret: true,
    description: 'Secret key of Stripe, through which subscribers pay for a plan; unset: administrators change plans.',
  }),
  STRIPE_WEBHOOK_SECRET: optionalText({
    pattern: '^[^\\s]{8,255}$',
    must: 'the signing secret of the webhook',
    secret: true,
    description: 'Signing secret that proves that requests to /billing/stripe come from Stripe.',
  }),
  STRIPE_PRICE_STARTER: optionalText({
    pattern: '^[\\w-]{3,255}$',
    must: 'the id of a price',
    description: 'ID of the Stripe price of the starter plan.',
  }),
  STRIPE_PRICE_BUSINESS: optionalText({
    pattern: '^[\\w-]{3,255}$',
    must: 'the id of a price',
    description: 'ID of the Stripe price of the business plan.',
  }),
  STRIPE_API_URL: optionalText({
    ...HTTP_URL,
    must: 'a URL',
    description: "Another address for Stripe's API, for tests.",
  }),
  ENRICHMENT_VPIC_URL: optionalText({
    ...HTTP_URL,
    must: 'a URL like https://vpic.nhtsa.dot.gov/api',
    description: 'vPIC service to look up VINs that the catalog does not settle; unset: none.',
  }),
  ENRICHMENT_SOURCES_FILE: optionalText({
    ...PATH,
    description: 'YAML or JSON file of further sources for looking up VINs; unset: none. See docs/enrichment.md.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalText({
    ...HTTP_URL,
    must: 'a URL like http://127.0.0.1:4318',
    description: 'Collector to which traces of requests are sent, with OTLP over HTTP; unset: nothing is traced.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: optionalText({
    pattern: '^[^=,\\s]+=[^,\\s]*(,[^=,\\s]+=[^,\\s]*)*$',
    must: 'names and values like authorization=Basic%20abc,tenant=one',
    secret: true,
    description: 'Headers for the collector, with percent-encoded values.',
  }),
  OTEL_SERVICE_NAME: Type.String({
    pattern: '^[\\x21-\\x7e]{1,100}$',
    default: 'marque',
    must: 'a name without blanks',
    description: 'Name of this service in its traces.',
  }),
  OTEL_TRACES_SAMPLER_ARG: Type.String({
    pattern: '^(0(\\.[0-9]{1,9})?|1(\\.0{1,9})?)$',
    default: '1',
    must: 'a share between 0 and 1',
    description: 'Share of the requests that are traced.',
  }),
  WEBHOOK_ALLOW_PRIVATE: Type.String({
    pattern: '^(no|yes)$',
    default: 'no',
    must: 'yes or no',
    description:
      'DANGEROUS, for tests and development only: yes lets every subscriber send requests into your own network, also over plain HTTP.',
  }),
  CATALOG_FILE: optionalText({
    ...PATH,
    description: 'Catalog to decode with; unset: the built catalog.',
  }),
  HEADER_BRAND: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9]{0,31}$',
    default: 'Service',
    must: 'up to 32 letters and digits, a letter first',
    description: 'The word in the headers X-Service-Auth and X-Service-Client.',
  }),
});

/** The variables as read, each of its type. */
export type EnvironmentValues = Static<typeof Environment>;
