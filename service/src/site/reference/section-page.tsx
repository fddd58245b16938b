import { type Answers, AnswerTabs, CodeTabs } from './code-tabs.tsx';
import { Fields, Fold, withCode } from './parts.tsx';
import { type Endpoint, eventData, nameOf, type OpenApi, type Schema } from './openapi.ts';
import { eventAnchor, schemaAnchor, schemaPath, type Section, JOBS_PATH, VPIC_PATH } from './sections.ts';
import { JobsIntroduction, VpicIntroduction } from './quick-start.tsx';
import { Table } from '../../kernel/ui/table.tsx';
import type { ExampleAnswer } from './answers.ts';
import { type Call, callOf, examplesFor, exampleText } from './examples.ts';
import { Field } from '../../kernel/ui/fields.tsx';

interface SectionPageProps {
  api: OpenApi;
  section: Section;
  answers: Answers;
  baseUrl: string;
}

/** The operations of a tag, or the events. */
export function SectionPage({ api, section, answers, baseUrl }: SectionPageProps) {
  const { name, description, endpoints, events } = section;
  return (
    <>
      <h1>{name}</h1>
      <p class="lede">{description}</p>
      {section.path === VPIC_PATH ? <VpicIntroduction baseUrl={baseUrl} /> : null}
      {events.length === 0 ? null : <Events api={api} events={events} />}
      {section.path === JOBS_PATH ? <JobsIntroduction baseUrl={baseUrl} /> : null}
      {endpoints.map((endpoint, place) => (
        <Operation
          key={endpoint.anchor}
          api={api}
          endpoint={endpoint}
          answers={answers.get(endpoint.anchor) ?? []}
          baseUrl={baseUrl}
          isOpen={place === 0 && section.path !== VPIC_PATH}
        />
      ))}
    </>
  );
}

/** Shows the events that the service sends to webhooks. */
function Events({ api, events }: { api: OpenApi; events: readonly string[] }) {
  return (
    <>
      <EventsIntroduction />
      {events.map((type) => {
        const post = api.webhooks?.[type]?.post;
        return (
          <Fold
            key={type}
            anchor={eventAnchor(type)}
            head={<h2 class="mono">{type}</h2>}
            address={post?.summary}
            isOpen={false}
          >
            <Fields api={api} schema={eventData(api, type)} anchor={eventAnchor(type)} />
          </Fold>
        );
      })}
    </>
  );
}

export function EventsIntroduction() {
  return (
    <p>
      Add a webhook in the portal and choose its events. Each event is a POST with a JSON body, signed as Standard
      Webhooks describes, delivered at least once, and retried for two days if your endpoint does not answer.
    </p>
  );
}

/** Every shared schema, with its fields. */
export function SchemasPage({ api }: { api: OpenApi }) {
  return (
    <>
      <h1>Schemas</h1>
      <p class="lede">The JSON bodies that several operations share, field by field.</p>
      {Object.entries(api.components?.schemas ?? {}).map(([name, schema]) => (
        <Fold key={name} anchor={schemaAnchor(name)} head={<h2 class="mono">{name}</h2>} isOpen={false}>
          {schema.description === undefined ? null : <p>{withCode(schema.description)}</p>}
          <Fields api={api} schema={schema} anchor={schemaAnchor(name)} />
        </Fold>
      ))}
    </>
  );
}

interface OperationProps {
  api: OpenApi;
  endpoint: Endpoint;
  answers: readonly ExampleAnswer[];
  baseUrl: string;
  isOpen: boolean;
}

/** Shows one operation: its effect, its parameters, an example with its answer, and every status it answers with. */
function Operation({ api, endpoint, answers, baseUrl, isOpen }: OperationProps) {
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
      <Responses api={api} endpoint={endpoint} />
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

function Responses({ api, endpoint: { operation } }: { api: OpenApi; endpoint: Endpoint }) {
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
            cell: ([, { content }]) => (
              <span class="whole">{schemaLink(api, Object.values(content ?? {})[0]?.schema)}</span>
            ),
          },
          {
            head: 'When',
            cell: ([, { description, headers }]) => {
              const headerNames = Object.keys(headers ?? {});
              return (
                <>
                  {withCode(description ?? '')}
                  {headerNames.length === 0 ? null : (
                    <small>
                      {' '}
                      Headers:{' '}
                      {headerNames.map((name, place) => (
                        <span key={name}>
                          {place === 0 ? '' : ', '}
                          <span class="whole">{name}</span>
                        </span>
                      ))}
                      .
                    </small>
                  )}
                </>
              );
            },
          },
        ]}
      />
    </details>
  );
}

/** Links the name of a body's schema. */
function schemaLink(api: OpenApi, schema: Schema | undefined) {
  const name = nameOf(schema);
  if (name === undefined || api.components?.schemas?.[name] === undefined) return 'JSON';
  return <a href={schemaPath(name)}>{name}</a>;
}

interface RunFormProps {
  api: OpenApi;
  endpoint: Endpoint;
  call: Call;
}

/** Sends the operation's request from the browser, with the reader's key. Hidden without JavaScript. */
function RunForm({ api, endpoint: { anchor, method, path, operation }, call }: RunFormProps) {
  const parameters = (operation.parameters ?? []).filter((known) => known.in === 'path' || known.in === 'query');
  return (
    <details class="run" data-run hidden>
      <summary>Run it</summary>
      <form class="stack" data-method={method} data-path={path} data-type={call.body?.type}>
        {call.takesKey ? (
          <Field
            id={`${anchor}-key`}
            label="Your API key"
            name="key"
            type="password"
            isMono
            isOptional
            hint="Stays in this tab. A run is charged like any other request. Without a key, it counts as public."
          />
        ) : null}
        {parameters.map((parameter) => (
          <Field
            key={parameter.name}
            id={`${anchor}-${parameter.name}`}
            label={parameter.name}
            name={`${parameter.in}:${parameter.name}`}
            value={exampleText(api, parameter) ?? ''}
            isOptional={parameter.required !== true}
            isMono
          />
        ))}
        {call.body === undefined ? null : (
          <div class="field">
            <label for={`${anchor}-body`}>Body</label>
            <textarea id={`${anchor}-body`} name="body" class="mono" spellcheck={false}>
              {call.body.text}
            </textarea>
          </div>
        )}
        <button class="first">Run</button>
        <p role="status" data-run-status />
        <pre tabindex={0} role="region" aria-label={`Answer to ${method} ${path}`} data-run-answer hidden />
      </form>
    </details>
  );
}
