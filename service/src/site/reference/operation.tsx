import { Table } from '../../kernel/ui/table.tsx';
import type { ExampleAnswer } from './answers.ts';
import { AnswerTabs, CodeTabs } from './code-tabs.tsx';
import { callOf, examplesFor } from './examples.ts';
import { Fields } from './fields.tsx';
import { Fold } from './fold.tsx';
import { type Endpoint, nameOf, type OpenApi, type Schema } from './openapi.ts';
import { RunForm } from './run-form.tsx';
import { schemaPath } from './sections.ts';
import { withCode } from './text.tsx';

interface OperationProps {
  api: OpenApi;
  endpoint: Endpoint;
  answers: readonly ExampleAnswer[];
  baseUrl: string;
  isOpen: boolean;
}

/** One operation: what it does, what it takes, an example with its answer, and every status it answers with. */
export function Operation({ api, endpoint, answers, baseUrl, isOpen }: OperationProps) {
  const { method, path, anchor, operation } = endpoint;
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const title = (operation.summary ?? path).replace(/\.$/, '');
  const address = (
    <>
      <span class="method">{method}</span> <code>{path}</code>
    </>
  );
  return (
    <Fold anchor={anchor} head={<h2>{title}</h2>} address={address} isOpen={isOpen}>
      {operation.description === undefined ? null : <p>{withCode(operation.description)}</p>}
      <Parameters endpoint={endpoint} />
      {body === undefined ? null : (
        <div>
          <h3>Body</h3>
          <Fields api={api} schema={body} anchor={anchor} />
        </div>
      )}
      <div>
        <h3>Request</h3>
        <CodeTabs id={anchor} label={`${method} ${path}`} examples={examplesFor(api, endpoint, baseUrl)} />
        <RunForm api={api} endpoint={endpoint} call={callOf(api, endpoint, baseUrl)} />
      </div>
      {answers.length === 0 ? null : (
        <div>
          <h3>Response</h3>
          <AnswerTabs id={anchor} label={`Answer of ${method} ${path}`} answers={answers} />
        </div>
      )}
      <Answers api={api} endpoint={endpoint} />
    </Fold>
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
    <details>
      <summary>Status codes</summary>
      <Table
        rows={Object.entries(operation.responses ?? {})}
        columns={[
          { head: 'Status', kind: 'name', cell: ([status]) => status },
          {
            head: 'Body',
            kind: 'code',
            cell: ([, { content }]) => schemaLink(api, Object.values(content ?? {})[0]?.schema),
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
    </details>
  );
}

/** The name of a body's schema, leading to it. */
function schemaLink(api: OpenApi, schema: Schema | undefined) {
  const name = nameOf(schema);
  if (name === undefined || api.components?.schemas?.[name] === undefined) return 'JSON';
  return <a href={schemaPath(name)}>{name}</a>;
}
