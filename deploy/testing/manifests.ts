import { fileURLToPath } from 'node:url';

import { Deployment } from 'kubernetes-models/apps/v1/Deployment';

import { type Manifest, renderChart, type Values } from './helm.ts';

/** The folder of the chart. */
export const CHART = fileURLToPath(new URL('../helm/marque', import.meta.url));

/** Mounts that `MOST` adds to those of the chart. */
export const MOUNTS = [{ name: 'authority', mountPath: '/etc/authority', readOnly: true }];
/** The fewest values that a chart takes. */
export const LEAST: Values = { existingSecret: 'marque' };
/** Values that turn on every part of the chart. */
export const MOST: Values = {
  existingSecret: 'marque',
  image: { repository: 'registry.example.com/marque', tag: '0.1.0' },
  imagePullSecrets: [{ name: 'registry' }],
  autoscaling: { enabled: true },
  settings: { LOG_LEVEL: 'warn', DECODE_LOG_RETENTION_DAYS: '30' },
  trustProxy: ['10.1.0.0/16', 'fd00::/8'],
  metrics: { serviceMonitor: { enabled: true, labels: { release: 'prometheus' } } },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
    hosts: ['vin.example.com'],
    tls: [{ secretName: 'vin-tls', hosts: ['vin.example.com'] }],
  },
  networkPolicy: { database: { to: [{ ipBlock: { cidr: '10.2.0.5/32' } }] } },
  volumes: [{ name: 'authority', configMap: { name: 'own-authority' } }],
  volumeMounts: MOUNTS,
  podAnnotations: { team: 'vehicles' },
  podLabels: { tier: 'api' },
  nodeSelector: { 'kubernetes.io/arch': 'arm64' },
  tolerations: [{ key: 'api', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
};

/** Returns the manifests that the chart makes of values. */
export function rendered(values: Values): Manifest[] {
  return renderChart(CHART, values, 'prod', 'vehicles').manifests;
}

/** A class of kubernetes-models; the input of each has a shape of its own. */
export type Model<T> = new (...data: never) => T;

/** Returns the manifest of a kind, whose model has checked it. */
export function oneOf<T extends { validate: () => void }>(Model: Model<T>, values: Values): T {
  const [model] = allOf(Model, values);
  if (model === undefined) throw new Error(`The chart makes no ${Model.name}.`);
  return model;
}

/** Returns all manifests of a kind, each checked. */
export function allOf<T extends { validate: () => void }>(Model: Model<T>, values: Values): T[] {
  const found = rendered(values).filter(({ kind }) => kind === Model.name);
  return found.map((manifest) => {
    const model: T = Reflect.construct(Model, [JSON.parse(JSON.stringify(manifest))]);
    model.validate();
    return model;
  });
}

/** Returns the pod of the Deployment, and its container. */
export function containerOf(values: Values) {
  const pod = oneOf(Deployment, values).spec?.template.spec;
  const container = pod?.containers[0];
  if (pod === undefined || container === undefined) throw new Error('The Deployment has no container.');
  return { pod, container };
}
