import { readFileSync } from 'node:fs';

import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';

import { testService } from '../../testing/service.ts';

interface Metric {
  name: string;
  type: string;
  help: string;
}

/** Returns the complaints of `promtool check metrics`. */
function faultsOf({ name, type, help }: Metric): string[] {
  const faults: string[] = [];
  if (help === '') faults.push('no help text');
  if (name.endsWith('_total') !== (type === 'counter')) faults.push('counters, and nothing else, end in _total');
  if (/_(?:bucket|count|sum)$/.test(name)) faults.push('a suffix that histograms and summaries add');
  if (/_(?:counter|gauge|histogram|summary)(?:_|$)/.test(name)) faults.push('its type in its name');
  if (/[A-Z]|_(?:ms|milliseconds|minutes|hours|kb|mb|kilobytes|megabytes|percent)(?:_|$)/.test(name)) {
    faults.push('no base unit');
  }
  if (!/^[a-z][a-z0-9_]*$/.test(name)) faults.push('no snake case');
  return faults;
}

test("every metric keeps Prometheus' rules for names and help", async () => {
  await using service = await testService({ METRICS_PORT: '0' });
  await service.app.inject('/healthz');
  const text = (await service.metrics?.metrics()) ?? '';
  const helps = new Map([...text.matchAll(/^# HELP (\S+) ?(.*)$/gm)].map(([, name = '', help = '']) => [name, help]));
  const metrics = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
    help: helps.get(name) ?? '',
  }));
  expect(metrics.length).toBeGreaterThan(10);
  expect(metrics.flatMap((metric) => faultsOf(metric).map((fault) => `${metric.name}: ${fault}`))).toEqual([]);
  expect(faultsOf({ name: 'jobs_counter_ms', type: 'counter', help: '' })).toHaveLength(4);
});

test('every metric of an alert is there before the first request', async () => {
  await using service = await testService({ METRICS_PORT: '0' });
  const text = (await service.metrics?.metrics()) ?? '';
  const rules = readFileSync(new URL('../../../../deploy/monitoring/alerts.yaml', import.meta.url), 'utf8');
  const named = new Set(rules.match(/\bmarque_\w+/g));
  expect(named.size).toBeGreaterThan(5);
  const missing = [...named].filter((name) => !new RegExp(`^${name}(?:\\{.*\\})? \\d`, 'm').test(text));
  expect(missing).toEqual([]);
  for (const kind of ['paid', 'free', 'batch', 'public']) {
    expect(text).toContain(`marque_requests_shed_total{kind="${kind}"} 0`);
  }
});

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const Grid = Type.Object(
  {
    x: Type.Integer({ minimum: 0 }),
    y: Type.Integer({ minimum: 0 }),
    w: Type.Integer({ minimum: 1, maximum: 24 }),
    h: Type.Integer({ minimum: 1 }),
  },
  strict,
);
const Source = Type.Object({ type: Type.Literal('prometheus'), uid: text }, strict);
const Dashboard = Type.Object({
  title: text,
  uid: Type.String({ maxLength: 40 }),
  schemaVersion: Type.Integer({ minimum: 36 }),
  time: Type.Object({ from: text, to: text }, strict),
  templating: Type.Object(
    {
      list: Type.Array(Type.Object({ name: text, type: Type.Enum(['datasource', 'query', 'custom', 'interval']) })),
    },
    strict,
  ),
  panels: Type.Array(
    Type.Object({
      id: Type.Integer(),
      title: text,
      type: Type.Enum(['timeseries', 'stat', 'gauge', 'table', 'bargauge', 'heatmap', 'row', 'text', 'piechart']),
      datasource: Source,
      gridPos: Grid,
      fieldConfig: Type.Object({ defaults: Type.Object({}), overrides: Type.Array(Type.Object({})) }, strict),
      targets: Type.Array(Type.Object({ refId: text, datasource: Source, expr: text, legendFormat: text }), {
        minItems: 1,
      }),
    }),
  ),
});

test('the dashboard has what Grafana expects, its panels lie side by side, and each line says what it is', () => {
  const file = new URL('../../../../deploy/monitoring/dashboard.json', import.meta.url);
  const { panels, templating } = Value.Parse(Dashboard, JSON.parse(readFileSync(file, 'utf8')));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const variables = templating.list.map(({ name }) => `\${${name}}`);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24);
    return Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
  for (const { datasource, targets } of panels) {
    for (const { uid } of [datasource, ...targets.map((target) => target.datasource)]) expect(variables).toContain(uid);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (const { expr, legendFormat } of targets) {
      const [, label] = /^(?:sum|max) by \((\w+)\)/.exec(expr) ?? [];
      const [, quantile] = /^histogram_quantile\((0\.\d+)/.exec(expr) ?? [];
      const percentile = quantile === undefined ? '' : `p${Number(quantile) * 100}`;
      expect(legendFormat).toContain(label === undefined ? percentile : `{{${label}}}`);
    }
  }
});
