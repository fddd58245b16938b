import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { effectiveSettings, faultMessage, settingsWithoutEffect, readConfig, type Config } from './config.ts';

function configOf(env: NodeJS.ProcessEnv): Config {
  const reading = readConfig(env);
  if (reading.kind === 'faulty') throw new Error(faultMessage(reading.faults));
  return reading.config;
}

function faultsOf(env: NodeJS.ProcessEnv): string[] {
  const reading = readConfig(env);
  return reading.kind === 'faulty' ? reading.faults : [];
}

test('with no environment at all the service has a whole configuration', () => {
  expect(configOf({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: fileURLToPath(new URL('../../../../var', import.meta.url)),
    databaseUrl: undefined,
    baseUrl: undefined,
    trustProxy: [],
    webhookAllowPrivate: false,
    publicMonthlyLimit: 100,
    planLimits: { free: 100, starter: 1000, business: 5000, enterprise: null },
    logLevel: 'info',
    drainSeconds: 0,
    workers: 1,
    metricsPort: undefined,
    decodeLogRetentionDays: 90,
    smtpUrl: undefined,
    mailFrom: undefined,
    contact: undefined,
    operator: undefined,
    governingLaw: undefined,
    planPrices: { starter: undefined, business: undefined },
    billing: undefined,
    enrichmentVpicUrl: undefined,
    catalogFile: undefined,
    headerBrand: 'Service',
  });
});

test('localhost is one address', () => {
  expect(configOf({ HOST: 'localhost' }).host).toBe('127.0.0.1');
});

test('every variable is taken from the environment', () => {
  const config = configOf({
    HOST: '0.0.0.0',
    PORT: '0',
    BASE_URL: 'https://vin.example.com/',
    DATABASE_URL: 'postgres://u:p@db:5432/marque',
    TRUST_PROXY: 'loopback, 10.0.0.0/8,2001:db8::1',
    PLAN_LIMIT_ENTERPRISE: '90000',
    DRAIN_SECONDS: '3',
    WORKERS: '4',
    METRICS_PORT: '9090',
    HEADER_BRAND: 'Marque',
  });
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 0,
    baseUrl: 'https://vin.example.com',
    databaseUrl: 'postgres://u:p@db:5432/marque',
    trustProxy: ['loopback', '10.0.0.0/8', '2001:db8::1'],
    planLimits: { enterprise: 90_000 },
    drainSeconds: 3,
    workers: 4,
    metricsPort: 9090,
    headerBrand: 'Marque',
  });
});

test('an empty or blank value counts as unset', () => {
  expect(configOf({ PORT: '', LOG_LEVEL: '  ', SMTP_URL: '' })).toEqual(configOf({}));
});

test('one message lists every fault, and what would be right', () => {
  const faults = faultsOf({ PORT: '80a', LOG_LEVEL: 'loud', PUBLIC_MONTHLY_LIMIT: '-1' });
  expect(faultMessage(faults)).toBe(
    [
      '3 settings are wrong. Nothing was started.',
      '  PORT must be a whole number from 0 to 65535, not "80a".',
      '  PUBLIC_MONTHLY_LIMIT must be a whole number from 0 to 1000000000, not "-1".',
      '  LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".',
    ].join('\n'),
  );
});

test.each([
  { PORT: '65536' },
  { PORT: '1.5' },
  { PORT: '0x50' },
  { HOST: 'a host' },
  { DATABASE_URL: 'mysql://db' },
  { DATABASE_URL: 'postgres://marque@one,two/marque?target_session_attrs=read-write' },
  { DATABASE_URL: 'postgres://marque:se,cret@one:5432,two:5432/marque' },
  { DATABASE_URL: 'postgres://db/marque?host=one,two' },
  { BASE_URL: 'vin.example.com' },
  { BASE_URL: 'https://example.com/vin' },
  { BASE_URL: 'https://example.com/?vin' },
  { TRUST_PROXY: 'all' },
  { TRUST_PROXY: 'true' },
  { TRUST_PROXY: '0.0.0.0/0' },
  { TRUST_PROXY: '::/0' },
  { TRUST_PROXY: '10.0.0.0/33' },
  { TRUST_PROXY: '10.0.0/8' },
  { TRUST_PROXY: '*' },
  { TRUST_PROXY: '10.0.0.0/-1' },
  { TRUST_PROXY: '10.0.0.0/8x' },
  { TRUST_PROXY: '10.0.0.1,' },
  { METRICS_PORT: '8080' },
  ...['u:p#pw@db:1/x', 'u:p/pw@db/x', 'u:p?pw@db/x', 'u:#pw@db/x', 'u:1/pw@db/x', 'db:99999', '[::1/x'].flatMap(
    (rest) => [
      { DATABASE_URL: `postgres://${rest}` },
      { SMTP_URL: `smtp://${rest}` },
      { ENRICHMENT_VPIC_URL: `https://${rest}` },
      { OTEL_EXPORTER_OTLP_ENDPOINT: `https://${rest}` },
    ],
  ),
  { BASE_URL: 'https://u:pw@vin.example.com' },
  { BASE_URL: 'https://vin.example.com:99999' },
  { DECODE_LOG_RETENTION_DAYS: '0' },
  { SMTP_URL: 'http://mail' },
  { MAIL_FROM: 'Marque' },
  { MAIL_FROM: 'a@example.com, b@example.com' },
  { MAIL_FROM: 'A\r\nBcc: <b@example.com>' },
  { HEADER_BRAND: 'X-Evil\r\nSet-Cookie' },
  { HEADER_BRAND: '9lives' },
  { DATA_DIR: '~/marque' },
  { CATALOG_FILE: '~root/marque.catalog' },
])('refuses %j', (env) => {
  expect(faultsOf(env)).toHaveLength(1);
});

test('a variable that is a setting but for a letter or two is named, with the setting that was meant', () => {
  const others = {
    PATH: '/bin',
    HOME: '/root',
    HOSTNAME: 'vin',
    POST: '1',
    TERM: 'xterm',
    LANG: 'C',
    PWD: '/',
    OLDPWD: '/',
    XDG_DATA_DIRS: '/usr/share',
    OTEL_TRACES_SAMPLER: 'always_on',
    NODE_ENV: 'production',
    MARQUE_PORT: 'tcp://10.0.0.1:80',
    METRICS_SERVICE_PORT: '80',
  };
  const warnings = settingsWithoutEffect({
    TRUSTPROXY: 'loopback',
    STRIPE_SECRETKEY: 'sk_test_1',
    database_url: 'postgres://db',
    BASEURL: 'https://vin.example.com',
    // Set beside the right one, without a value, or another program's.
    LOGLEVEL: 'info',
    LOG_LEVEL: 'warn',
    SMTPURL: '',
    ...others,
  });
  const meant = ['TRUST_PROXY', 'STRIPE_SECRET_KEY', 'DATABASE_URL', 'BASE_URL'];
  expect(warnings.map((warning) => /Set (\w+)/.exec(warning)?.[1])).toEqual(meant);
  expect(warnings[0]).toBe('TRUSTPROXY is no setting and has no effect. Set TRUST_PROXY if that was meant.');
});

test('settings of Stripe without its key are named', () => {
  const prices = { STRIPE_PRICE_STARTER: 'price_1', STRIPE_API_URL: 'http://127.0.0.1:1' };
  expect(settingsWithoutEffect(prices)).toEqual([
    'STRIPE_PRICE_STARTER has no effect without STRIPE_SECRET_KEY.',
    'STRIPE_API_URL has no effect without STRIPE_SECRET_KEY.',
  ]);
  expect(settingsWithoutEffect({ ...prices, STRIPE_SECRET_KEY: 'sk_test_1' })).toEqual([]);
});

test.each([
  'postgres://db',
  'postgres://marque:se,cr@et@db:5432/marque?options=-c%20search_path=a,b',
  'postgresql://marque@[::1]:5432/marque',
  'postgres://db?sslmode=require',
])('takes the database %s', (databaseUrl) => {
  expect(readConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ kind: 'config', config: { databaseUrl } });
});

test('no password is ever printed, neither as a setting nor in a fault', () => {
  const env = {
    DATABASE_URL: 'postgres://marque:hunter2@db/marque?password=hunter2',
    SMTP_URL: 'smtp://marque:hunt:er2@p@mail:587',
    ENRICHMENT_VPIC_URL: 'https://vpic.example.com/api?api_key=hunter2',
  };
  expect(JSON.stringify(effectiveSettings(env))).not.toContain('er2');
  expect(effectiveSettings(env)).toContainEqual({
    name: 'SMTP_URL',
    value: 'smtp://marque:***@mail:587',
    from: 'environment',
    description: expect.stringContaining('unset: no mail is sent.'),
  });
  expect(faultsOf({ DATABASE_URL: 'mysql://marque:hunter2@db' }).join('')).not.toContain('hunter2');
  for (const url of [
    'https://marque:hunter2@host:99999',
    'https://marque:#hunter2@host',
    'https://host/?api_key=hunter2#',
  ]) {
    expect(faultsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: url }).join('')).not.toContain('hunter2');
  }
  expect(faultsOf({ SMTP_URL: 'smtp://marque:hunter#2@mail:587' })).toEqual([
    'SMTP_URL must be a URL like smtp://user:password@host:587. In its user and password, write # as %23, / as %2F, ? as %3F and @ as %40.',
  ]);
});

test('keys of a payment provider go together, and are never shown', () => {
  const secret = 'sk_test_0123456789';
  const reading = readConfig({ STRIPE_SECRET_KEY: secret });
  expect(reading).toMatchObject({ kind: 'faulty', faults: [expect.stringContaining('go together')] });
  const settings = effectiveSettings({ STRIPE_SECRET_KEY: secret, STRIPE_WEBHOOK_SECRET: 'whsec_0123456789' });
  expect(JSON.stringify(settings)).not.toContain('0123456789');
});
