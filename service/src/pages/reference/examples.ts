import { type Endpoint, exampleOf, type OpenApi } from './openapi.ts';

/** An example in one language that runs as printed. */
export interface Example {
  language: 'curl' | 'TypeScript' | 'Python';
  code: string;
}

/** Calls of an operation, each ready to run. */
export function examplesFor(api: OpenApi, endpoint: Endpoint, baseUrl: string): Example[] {
  const url = `${baseUrl}${pathWithExamples(api, endpoint)}`;
  const schema = endpoint.operation.requestBody?.content?.['application/json']?.schema;
  const body = exampleOf(api, schema);
  const takesKey = (endpoint.operation.security ?? []).some((way) => Object.keys(way).length > 0);
  const call = { method: endpoint.method, url, body, takesKey };
  return [
    { language: 'curl', code: inCurl(call) },
    { language: 'TypeScript', code: inTypeScript(call) },
    { language: 'Python', code: inPython(call) },
  ];
}

interface Call {
  method: string;
  url: string;
  body: unknown;
  takesKey: boolean;
}

function inCurl({ method, url, body, takesKey }: Call): string {
  const lines = [`curl ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}${url}`];
  if (takesKey) lines.push('${MARQUE_KEY:+-H "x-api-key: $MARQUE_KEY"}');
  if (body !== undefined) {
    lines.push("-H 'content-type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

function inTypeScript({ method, url, body, takesKey }: Call): string {
  const options: string[] = [];
  if (method !== 'GET') options.push(`method: '${method}'`);
  const headers = [
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
    ...(takesKey ? ["...(process.env.MARQUE_KEY ? { 'x-api-key': process.env.MARQUE_KEY } : {})"] : []),
  ];
  if (headers.length > 0) options.push(`headers: {\n    ${headers.join(',\n    ')},\n  }`);
  if (body !== undefined) options.push(`body: JSON.stringify(${JSON.stringify(body)})`);
  const second = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`;
  return `const answer = await fetch('${url}'${second});
if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`);
console.log(await answer.json());`;
}

function inPython({ method, url, body, takesKey }: Call): string {
  const headers = body === undefined ? '{}' : '{"content-type": "application/json"}';
  const lines = ['import json, os, urllib.request', '', `headers = ${headers}`];
  if (takesKey) lines.push('if "MARQUE_KEY" in os.environ:', '    headers["x-api-key"] = os.environ["MARQUE_KEY"]');
  // JSON is Python, too, but for its three words.
  const data =
    body === undefined ? '' : `    data=json.dumps(json.loads(${JSON.stringify(JSON.stringify(body))})).encode(),`;
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

function pathWithExamples(api: OpenApi, { path, operation }: Endpoint): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = operation.parameters?.find((known) => known.name === name);
    const example = exampleOf(api, parameter?.schema);
    return encodeURIComponent(typeof example === 'string' ? example : name);
  });
}
