import { type Endpoint, exampleOf, type OpenApi, type Parameter } from './openapi.ts';

/** An example in one language that runs as printed. */
export interface Example {
  language: 'curl' | 'TypeScript' | 'Python';
  code: string;
}

/** Calls of an operation, each ready to run. */
export function examplesFor(api: OpenApi, endpoint: Endpoint, baseUrl: string): Example[] {
  const call = callOf(api, endpoint, baseUrl);
  return [
    { language: 'curl', code: inCurl(call) },
    { language: 'TypeScript', code: inTypeScript(call) },
    { language: 'Python', code: inPython(call) },
  ];
}

export const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

/** Returns the call of an operation that its examples make. */
export function callOf(api: OpenApi, endpoint: Endpoint, baseUrl: string): Call {
  const url = `${baseUrl}${pathWithExamples(api, endpoint)}`;
  const content = endpoint.operation.requestBody?.content;
  const type = content?.[FORM] === undefined ? JSON_TYPE : FORM;
  const example = content?.[type]?.example ?? exampleOf(api, content?.[type]?.schema);
  const body = example === undefined ? undefined : { type, text: textOf(type, example) };
  const takesKey = (endpoint.operation.security ?? []).some((way) => Object.keys(way).length > 0);
  return { method: endpoint.method, url, body, takesKey };
}

/** Returns a request body. */
function textOf(type: string, example: unknown): string {
  if (type === JSON_TYPE || typeof example !== 'object' || example === null) return JSON.stringify(example);
  return new URLSearchParams(Object.entries(example).map(([name, value]) => [name, String(value)])).toString();
}

/** An operation with its examples filled in. */
export interface Call {
  method: string;
  url: string;
  /** The body as it is sent; undefined: there is none. */
  body: { type: string; text: string } | undefined;
  takesKey: boolean;
}

function inCurl({ method, url, body, takesKey }: Call): string {
  const address = url.includes('?') ? `'${url}'` : url;
  const lines = [`curl ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}${address}`];
  if (takesKey) lines.push('${MARQUE_KEY:+-H "x-api-key: $MARQUE_KEY"}');
  if (body !== undefined) {
    lines.push(`-H 'content-type: ${body.type}'`, `-d '${body.text.replaceAll("'", String.raw`'\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

function inTypeScript({ method, url, body, takesKey }: Call): string {
  const options: string[] = [];
  if (method !== 'GET') options.push(`method: '${method}'`);
  const headers = [
    ...(body === undefined ? [] : [`'content-type': '${body.type}'`]),
    ...(takesKey ? ["...(process.env.MARQUE_KEY ? { 'x-api-key': process.env.MARQUE_KEY } : {})"] : []),
  ];
  if (headers.length > 0) options.push(`headers: {\n    ${headers.join(',\n    ')},\n  }`);
  if (body !== undefined)
    options.push(`body: ${body.type === JSON_TYPE ? `JSON.stringify(${body.text})` : `'${body.text}'`}`);
  const second = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  return `const answer = await fetch('${url}'${second});
if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`);
console.log(await answer.json());`;
}

function inPython({ method, url, body, takesKey }: Call): string {
  const headers = body === undefined ? '{}' : `{"content-type": "${body.type}"}`;
  const lines = ['import json, os, urllib.request', '', `headers = ${headers}`];
  if (takesKey) lines.push('if "MARQUE_KEY" in os.environ:', '    headers["x-api-key"] = os.environ["MARQUE_KEY"]');
  const data = body === undefined ? '' : `    data=${JSON.stringify(body.text)}.encode(),`;
  lines.push(
    'request = urllib.request.Request(',
    `    "${url}",`,
    ...(data === '' ? [] : [data]),
    '    headers=headers,',
    `    method="${method}",`,
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(json.load(answer))',
  );
  return lines.join('\n');
}

/** Returns the address with its examples filled in, and the query's after it. */
function pathWithExamples(api: OpenApi, { path, operation }: Endpoint): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = operation.parameters?.find((known) => known.name === name);
    return encodeURIComponent(exampleText(api, parameter) ?? name);
  });
  const query = new URLSearchParams();
  for (const parameter of operation.parameters ?? []) {
    const example = parameter.in === 'query' ? exampleText(api, parameter) : undefined;
    if (example !== undefined) query.set(parameter.name, example);
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

/** Returns a parameter's example as text; undefined if it has none. */
export function exampleText(api: OpenApi, parameter: Parameter | undefined): string | undefined {
  const example = parameter?.example ?? exampleOf(api, parameter?.schema);
  return typeof example === 'string' || typeof example === 'number' ? String(example) : undefined;
}
