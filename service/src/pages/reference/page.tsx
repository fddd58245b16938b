import { Json } from '../shared/report-view.tsx';
import { examplesFor } from './examples.ts';
import {
  type Endpoint,
  endpointsByTag,
  exampleOf,
  nameOf,
  type OpenApi,
  resolve,
  type Schema,
  typeText,
} from './openapi.ts';
import { Table } from '../../platform/ui/table.tsx';

const TAG_NAMES: Readonly<Record<string, string>> = { decode: 'Decode', operation: 'Operation' };

/** The reference of the API, from its own description. */
export function Reference({ api, baseUrl }: { api: OpenApi; baseUrl: string }) {
  const groups = endpointsByTag(api);
  return (
    <>
      <section>
        <h1>API reference</h1>
        {(api.info.description ?? '').split('\n\n').map((text) => (
          <p key={text}>{withCode(text)}</p>
        ))}
        <p>
          The base address is <code>{baseUrl}</code>. The machine-readable description is{' '}
          <a href="/openapi.json">openapi.json</a>, version {api.info.version}. The examples below run as printed; those
          that take a key read it from <code>MARQUE_KEY</code>, and count as public without it.
        </p>
        <nav aria-label="Operations" class="scroll">
          <Table
            rows={groups.flatMap(({ endpoints }) => endpoints)}
            columns={[
              { head: 'Method', kind: 'code', cell: ({ method }) => method },
              {
                head: 'Path',
                kind: 'code',
                cell: ({ path, anchor }) => <a href={`#${anchor}`}>{path}</a>,
              },
              { head: 'What it does', cell: ({ operation }) => operation.summary },
            ]}
          />
        </nav>
      </section>
      {groups.map(({ tag, description, endpoints }) => (
        <section key={tag}>
          <div class="heading">
            <h2>{TAG_NAMES[tag] ?? tag}</h2>
            <p class="hint">{description}</p>
          </div>
          {endpoints.map((endpoint) => (
            <Operation key={endpoint.anchor} api={api} endpoint={endpoint} baseUrl={baseUrl} />
          ))}
        </section>
      ))}
      <Events api={api} />
      <section>
        <h2>Shared shapes</h2>
        {Object.entries(api.components?.schemas ?? {}).map(([name, schema]) => (
          <div key={name} id={`shape-${name}`} class="stack">
            <h3 class="mono">{name}</h3>
            {schema.description === undefined ? null : <p>{withCode(schema.description)}</p>}
            <Fields api={api} schema={schema} />
          </div>
        ))}
      </section>
    </>
  );
}

/** What the service sends to addresses that subscribers name. */
function Events({ api }: { api: OpenApi }) {
  const events = Object.entries(api.webhooks ?? {});
  if (events.length === 0) return null;
  return (
    <section>
      <div class="heading">
        <h2>Webhooks</h2>
        <p class="hint">{api.tags?.find(({ name }) => name === 'webhooks')?.description}</p>
      </div>
      <p>
        Name an address in the portal, and it hears of these: a POST with JSON, signed by Standard Webhooks, delivered
        at least once and tried again for two days.
      </p>
      {events.map(([type, { post }]) => (
        <article key={type} id={`event-${type.replace('.', '-')}`} class="stack operation">
          <h3 class="mono">{type}</h3>
          <p>{post?.summary}</p>
          <Fields api={api} schema={dataOf(post?.requestBody?.content?.['application/json']?.schema)} />
        </article>
      ))}
    </section>
  );
}

/** What an event tells, without what stands around it in each. */
function dataOf(body: Schema | undefined): Schema {
  return body?.properties?.['data'] ?? {};
}

function Operation({ api, endpoint, baseUrl }: { api: OpenApi; endpoint: Endpoint; baseUrl: string }) {
  const { method, path, anchor, operation } = endpoint;
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const answer = operation.responses?.['200']?.content?.['application/json']?.schema;
  const example = exampleOf(api, answer);
  return (
    <article id={anchor} class="stack operation">
      <h3>
        <span class="mono">
          {method} {path}
        </span>
      </h3>
      <p>
        {operation.summary} {withCode(operation.description ?? '')}
      </p>
      <Parameters endpoint={endpoint} />
      {body === undefined ? null : (
        <div>
          <h4>Body</h4>
          <Fields api={api} schema={body} />
        </div>
      )}
      <div class="split">
        <div>
          <h4>Example</h4>
          {examplesFor(api, endpoint, baseUrl).map(({ language, code }) => (
            <details key={language} open={language === 'curl'}>
              <summary>{language}</summary>
              <div class="copyable">
                <pre tabindex={0} role="region" aria-label={`${method} ${path} in ${language}`}>
                  <code id={`${anchor}-${language}`}>{code}</code>
                </pre>
                <button type="button" class="second" data-copy={`${anchor}-${language}`} hidden>
                  Copy
                </button>
              </div>
            </details>
          ))}
        </div>
        {example === undefined ? null : (
          <div>
            <h4>Answer{nameOf(answer) === undefined ? '' : `: ${nameOf(answer)}`}</h4>
            <Json value={example} label={`Answer of ${method} ${path}`} />
          </div>
        )}
      </div>
      <Answers api={api} endpoint={endpoint} />
    </article>
  );
}

function Parameters({ endpoint: { operation } }: { endpoint: Endpoint }) {
  if (operation.parameters === undefined || operation.parameters.length === 0) return null;
  return (
    <Table
      rows={operation.parameters}
      columns={[
        { head: 'Parameter', kind: 'name', cell: ({ name }) => <code>{name}</code> },
        { head: 'In', cell: ({ in: place, required }) => `${place}${required === true ? ', required' : ''}` },
        { head: 'Meaning', cell: ({ description }) => withCode(description ?? '') },
      ]}
    />
  );
}

function Answers({ api, endpoint: { operation } }: { api: OpenApi; endpoint: Endpoint }) {
  return (
    <Table
      rows={Object.entries(operation.responses ?? {})}
      columns={[
        { head: 'Status', kind: 'name', cell: ([status]) => status },
        {
          head: 'Body',
          kind: 'code',
          cell: ([, { content }]) => bodyLink(api, Object.values(content ?? {})[0]?.schema),
        },
        {
          head: 'When',
          cell: ([, { description, headers }]) => {
            const headerNames = Object.keys(headers ?? {});
            return (
              <>
                {withCode(description ?? '')}
                {headerNames.length === 0 ? null : <small> Headers: {headerNames.join(', ')}.</small>}
              </>
            );
          },
        },
      ]}
    />
  );
}

/** The name of a body's shape, leading to it. */
function bodyLink(api: OpenApi, schema: Schema | undefined) {
  const name = nameOf(schema);
  if (name === undefined || api.components?.schemas?.[name] === undefined) return 'JSON';
  return <a href={`#shape-${name}`}>{name}</a>;
}

function Fields({ api, schema }: { api: OpenApi; schema: Schema }) {
  const found = resolve(api, schema);
  const rows = found === undefined ? [] : rowsOf(found, '');
  if (rows.length === 0) return null;
  return (
    <Table
      rows={rows}
      columns={[
        { head: 'Field', kind: 'name', cell: ({ path }) => <code>{path}</code> },
        { head: 'Type', cell: ({ type, required }) => `${type}${required ? ', required' : ''}` },
        { head: 'Meaning', cell: ({ description }) => withCode(description) },
      ]}
    />
  );
}

interface FieldRow {
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** The fields of an object, those of objects within it below their own. */
function rowsOf(schema: Schema, prefix: string): FieldRow[] {
  const rows: FieldRow[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const path = `${prefix}${name}`;
    const description = property.description ?? property.anyOf?.find((option) => option.description)?.description ?? '';
    rows.push({ path, type: typeText(property), required: schema.required?.includes(name) ?? false, description });
    rows.push(...rowsOf(property, `${path}.`));
  }
  return rows;
}

/** A text with its parts between back ticks as code. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
