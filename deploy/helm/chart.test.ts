import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Ajv } from 'ajv';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { effectiveSettings } from '../../service/src/kernel/config/config.ts';
import { freshDatabase } from '../../service/src/testing/databases.ts';
import { freePort } from '../../service/src/testing/free-port.ts';
import { environmentOf, lastStep, readStages } from '../testing/dockerfile.ts';
import { type Values, valuesWith } from '../testing/helm.ts';
import { allOf, CHART, containerOf, LEAST, type Model, MOST, MOUNTS, oneOf, rendered } from '../testing/manifests.ts';
import { type Program, start, untilReady } from '../testing/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const image = readStages(readFileSync(join(root, 'Dockerfile'), 'utf8')).at(-1);
if (image === undefined) throw new Error('The Dockerfile has no stage.');
const imageEnv = environmentOf(image, {});

/** The service ends by itself within this time. */
const STOPS_WITHIN_SECONDS = 25;

/** Returns a module of the feature that takes files. */
function sourceOf(file: string): string {
  return readFileSync(join(root, 'service/src/files', file), 'utf8');
}

/** Of the kinds that the Kubernetes API has. A ServiceMonitor belongs to the Prometheus operator. */
const MODELS: readonly Model<{ validate: () => void }>[] = [
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
];

describe('values', () => {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')),
  );

  test('fit their schema, which knows every one of them', () => {
    for (const values of [{}, MOST]) {
      validate(valuesWith(CHART, values));
      expect(validate.errors).toBeNull();
    }
  });

  test.each<[string, Values]>([
    ['a single instance, which a disruption would stop', { replicaCount: 1 }],
    ['a name that is not known', { replicas: 3 }],
    ['a secret among the settings', { settings: { DATABASE_URL: 'postgres://marque:secret@db/marque' } }],
    ['a number that Helm would write otherwise', { settings: { PLAN_LIMIT_BUSINESS: 5_000_000 } }],
    ['an image that may be another tomorrow', { image: { tag: 'latest' } }],
    ['metrics on the port of requests', { metrics: { port: 8080 } }],
    ['every proxy', { trustProxy: ['0.0.0.0/0'] }],
  ])('are refused with %s', (_, wrong) => {
    expect(validate(valuesWith(CHART, wrong))).toBe(false);
  });

  test('without a Secret stop with what to do', () => {
    expect(() => rendered({})).toThrow('existingSecret must name a Secret with DATABASE_URL');
  });

  test('name settings that there are', () => {
    const known = new Set(effectiveSettings({}).map(({ name }) => name));
    const used = containerOf(MOST).container.env?.map(({ name }) => name) ?? [];
    expect(used).toContain('LOG_LEVEL');
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe.each([
  {
    how: 'least',
    values: LEAST,
    kinds: ['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'Service', 'ServiceAccount'],
  },
  {
    how: 'most',
    values: MOST,
    kinds: [
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
    ],
  },
])('with the $how of values, the manifests', ({ values, kinds }) => {
  test('are these, and fit the schema of the Kubernetes API', () => {
    const manifests = rendered(values);
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(kinds);
    const checked = MODELS.flatMap((Model) => allOf(Model, values).map(() => Model.name));
    expect(checked).toEqual(kinds.filter((kind) => kind !== 'ServiceMonitor'));
  });

  test('have no part that the Kubernetes API does not know', () => {
    const folder = join(root, 'deploy', 'dist', `manifests-${values === MOST ? 'most' : 'least'}`);
    mkdirSync(folder, { recursive: true });
    const paths: Record<string, string> = { autoscaling: 'autoscaling', policy: 'policy', apps: 'apps' };
    const lines = rendered(values)
      .filter(({ kind }) => kind !== 'ServiceMonitor')
      .map(({ apiVersion, kind, ...rest }, index) => {
        const [group = '', version] = apiVersion.split('/');
        const path = version === undefined ? apiVersion : `${paths[group] ?? group}/${version}`;
        const type = `import('kubernetes-models/${path}/${kind}').I${kind}`;
        return `export const manifest${index}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })};`;
      });
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
    const words = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--ignoreConfig',
      '--module',
      'nodenext',
      '--target',
      'es2024',
    ];
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    const { stdout } = spawnSync(compiler, [...words, 'manifests.ts'], { cwd: folder, encoding: 'utf8' });
    expect(stdout).toBe('');
    rmSync(folder, { recursive: true });
  });

  test('select the same pods everywhere', () => {
    const deployment = oneOf(Deployment, values);
    const selector = deployment.spec?.selector.matchLabels;
    expect(selector).toEqual({ 'app.kubernetes.io/name': 'marque', 'app.kubernetes.io/instance': 'prod' });
    expect(deployment.spec?.template.metadata?.labels).toMatchObject(selector ?? {});
    expect(oneOf(Service, values).spec?.selector).toEqual(selector);
    expect(oneOf(PodDisruptionBudget, values).spec?.selector?.matchLabels).toEqual(selector);
    expect(oneOf(NetworkPolicy, values).spec?.podSelector?.matchLabels).toEqual(selector);
    for (const { labelSelector } of containerOf(values).pod.topologySpreadConstraints ?? []) {
      expect(labelSelector?.matchLabels).toEqual(selector);
    }
  });

  test('lock the pod', () => {
    const { pod, container } = containerOf(values);
    const [user = '', group = ''] = lastStep(image, 'USER').text.split(':');
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: Number(user),
        runAsGroup: Number(group),
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const own = values === MOST ? MOUNTS : [];
    expect(container.volumeMounts).toEqual([{ name: 'data', mountPath: imageEnv['DATA_DIR'] }, ...own]);
    expect(pod.volumes?.map(({ name }) => name)).toEqual(container.volumeMounts?.map(({ name }) => name));
    expect(oneOf(ServiceAccount, values).automountServiceAccountToken).toBe(false);
  });

  test('give an instance the time that it needs to stop after the sleep', () => {
    const { pod, container } = containerOf(values);
    const sleep = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
    const { periodSeconds = 0, failureThreshold = 0 } = container.readinessProbe ?? {};
    expect(sleep).toBeGreaterThan(periodSeconds * failureThreshold);
    expect((pod.terminationGracePeriodSeconds ?? 0) - sleep).toBeGreaterThan(STOPS_WITHIN_SECONDS);
  });

  // Kubernetes ends a whole container where one of its processes finds no memory.
  test('have room for the processes that unpack files, however much these take until they are ended', () => {
    const bytes = Number(/MOST_BYTES = ([\d_]+)/.exec(sourceOf('unpack-process.ts'))?.[1]?.replaceAll('_', ''));
    const processes = Number(/ all: (\d+)/.exec(sourceOf('unpacker.ts'))?.[1]);
    const limit = containerOf(LEAST).container.resources?.limits?.['memory'];
    expect(parseInt(String(limit), 10) * 2 ** 20).toBeGreaterThan(250 * 2 ** 20 + 1.1 * processes * bytes);
  });

  test('let through the ports that the pod listens on, and nothing else', () => {
    const ports = containerOf(values).container.ports?.map(({ name }) => name);
    const policy = oneOf(NetworkPolicy, values).spec;
    expect(policy?.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(policy?.ingress?.flatMap((rule) => rule.ports?.map(({ port }) => port))).toEqual(ports);
    for (const { from } of policy?.ingress ?? []) expect(from?.length).toBeGreaterThan(0);
    const outward = policy?.egress?.flatMap((rule) => rule.ports?.map(({ port }) => port));
    expect(outward).toEqual([53, 53, 5432, 443, 587]);
    const services = allOf(Service, values);
    expect(services.flatMap(({ spec }) => spec?.ports?.map(({ targetPort }) => targetPort))).toEqual(ports);
  });

  test('show requests alone where the Service is open to the outside', () => {
    const services = allOf(Service, { ...values, service: { type: 'LoadBalancer' } });
    expect(services.map(({ spec }) => [spec?.type, spec?.ports?.map(({ name }) => name)])).toEqual([
      ['LoadBalancer', ['http']],
      [undefined, ['metrics']],
    ]);
  });
});

test.each([
  [{ ingressFrom: [] }, ['metrics']],
  [{ metricsFrom: [] }, ['http']],
  [{ ingressFrom: [], metricsFrom: [] }, []],
])('nobody is let in by peers that are %j', (networkPolicy, left) => {
  const { ingress } = oneOf(NetworkPolicy, { ...LEAST, networkPolicy }).spec ?? {};
  expect((ingress ?? []).map(({ ports }) => ports?.[0]?.port)).toEqual(left);
});

test('the version of the chart is that of the program', () => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const about: unknown = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'));
  expect(about).toMatchObject({ version, appVersion: version });
});

test('values reach the container, the Ingress and the monitor', () => {
  const { container } = containerOf(MOST);
  expect(container.image).toBe('registry.example.com/marque:0.1.0');
  expect(Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]))).toEqual({
    METRICS_PORT: '9464',
    BASE_URL: 'https://vin.example.com',
    TRUST_PROXY: '10.1.0.0/16,fd00::/8',
    LOG_LEVEL: 'warn',
    DECODE_LOG_RETENTION_DAYS: '30',
  });
  expect(containerOf(LEAST).container.image).toBe('marque:0.1.0');
  expect(oneOf(Deployment, MOST).spec?.replicas).toBeUndefined();
  expect(oneOf(Ingress, MOST).spec?.rules?.[0]?.host).toBe('vin.example.com');
  const monitor = rendered(MOST).find(({ kind }) => kind === 'ServiceMonitor');
  expect(monitor).toMatchObject({
    apiVersion: 'monitoring.coreos.com/v1',
    metadata: { labels: { release: 'prometheus' } },
    spec: { endpoints: [{ port: 'metrics', path: '/metrics', interval: '30s' }] },
  });
});

describe('the container, as a process', () => {
  let program: Program | undefined;

  afterEach(() => program?.child.kill('SIGKILL'));

  test('answers every probe and the monitor where the manifests say, and stops', async () => {
    const { container } = containerOf(MOST);
    const database = await freshDatabase('postgres');
    const real = { http: await freePort(), metrics: await freePort() };
    const portOf = (name: string | number | undefined): number =>
      name === 'http' ? real.http : name === 'metrics' ? real.metrics : Number.NaN;
    const given = (container.env ?? []).map(({ name, value = '' }) => [name, value]);
    const env: Record<string, string> = { ...imageEnv, ...Object.fromEntries(given) };
    const declared = Object.fromEntries(
      (container.ports ?? []).map(({ name, containerPort }) => [name, containerPort]),
    );
    expect(declared).toEqual({ http: Number(env['PORT']), metrics: Number(env['METRICS_PORT']) });
    program = start({
      command: [process.execPath, join(root, 'service', 'bin', 'marque.js'), ...lastStep(image, 'CMD').words],
      env: {
        ...env,
        PATH: process.env['PATH'],
        LD_LIBRARY_PATH: '',
        DATABASE_URL: database.location.databaseUrl,
        PORT: String(real.http),
        METRICS_PORT: String(real.metrics),
      },
    });
    await untilReady(program, `http://127.0.0.1:${real.http}`);
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      const answer = await fetch(`http://127.0.0.1:${portOf(probe?.httpGet?.port)}${probe?.httpGet?.path}`);
      expect(answer.status).toBe(200);
    }
    const metrics = await fetch(`http://127.0.0.1:${portOf('metrics')}/metrics`);
    expect(await metrics.text()).toContain('# TYPE ');
    program.child.kill('SIGTERM');
    expect(await program.ended).toEqual({ status: 0, printed: expect.any(String) });
    await database.remove();
  });
});
