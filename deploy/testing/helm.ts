import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  createEngine,
  type FuncMap,
  sprigDefaults,
  sprigFlow,
  sprigLists,
  sprigMath,
  sprigStrings,
} from '@promptctl/go-template-js';
import { parse, parseAllDocuments, stringify } from 'yaml';

/** Values of a chart, nested. */
export interface Values {
  [name: string]: unknown;
}

/** A manifest, as far as every kind has it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  [part: string]: unknown;
}

/** The output of a chart. */
export interface Rendered {
  manifests: Manifest[];
  notes: string;
}

/**
 * Returns the chart's own values, with others put over them as Helm does: maps are merged, anything else is replaced.
 */
export function valuesWith(chart: string, given: Values): Values {
  const own: Values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  return merged(own, given);
}

function merged(under: Values, over: Values): Values {
  const entries = Object.entries(over).map(([name, value]) => {
    const old = under[name];
    return [name, isMap(old) && isMap(value) ? merged(old, value) : value];
  });
  return { ...under, ...Object.fromEntries(entries) };
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Renders a chart as `helm template NAME CHART --namespace NAMESPACE` does: the same template language, of whose
 * functions it has those of Go and sprig and, of Helm's own, `include`, `required` and `toYaml`.
 */
export function renderChart(chart: string, given: Values, name: string, namespace: string): Rendered {
  const about: { name: string; version: string; appVersion: string } = parse(
    readFileSync(join(chart, 'Chart.yaml'), 'utf8'),
  );
  const folder = join(chart, 'templates');
  const files = readdirSync(folder).toSorted();
  const helpers = files.filter((file) => file.startsWith('_')).map((file) => readFileSync(join(folder, file), 'utf8'));
  const scope = {
    Values: valuesWith(chart, given),
    Chart: { Name: about.name, Version: about.version, AppVersion: about.appVersion },
    Release: { Name: name, Namespace: namespace, Service: 'Helm' },
  };
  const render = rendererWith(helpers.join(''));
  const manifests = files
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => documentsOf(render(readFileSync(join(folder, file), 'utf8'), scope)));
  return { manifests, notes: render(readFileSync(join(folder, 'NOTES.txt'), 'utf8'), scope) };
}

function rendererWith(helpers: string): (template: string, scope: object) => string {
  const funcs: FuncMap = {
    ...sprigDefaults(),
    ...sprigStrings(),
    ...sprigLists(),
    ...sprigMath(),
    ...sprigFlow(),
    // Sprig's takes anything.
    quote: { fn: (value: unknown) => JSON.stringify(String(value)), argTypes: ['value'], returnType: 'string' },
    toYaml: {
      fn: (value: unknown) => stringify(value, { lineWidth: 0 }).trimEnd(),
      argTypes: ['value'],
      returnType: 'string',
    },
    required: {
      fn: (message: unknown, value: unknown) => {
        if (value === undefined || value === null || value === '') throw new Error(String(message));
        return value;
      },
      argTypes: ['string', 'value'],
      returnType: 'value',
    },
    include: {
      fn: (template: unknown, scope: unknown) => render(`{{ template ${JSON.stringify(template)} . }}`, Object(scope)),
      argTypes: ['string', 'value'],
      returnType: 'string',
    },
  };
  const engine = createEngine<string>({ fromString: (text) => text, funcs });
  const render = (template: string, scope: object): string =>
    engine
      .parse(helpers + template)
      .evaluate(scope)
      .join('');
  return render;
}

function documentsOf(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${error.message}\n${text}`);
    const manifest: Manifest | null = document.toJS();
    return manifest === null ? [] : [manifest];
  });
}
