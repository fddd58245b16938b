import { Fields } from './fields.tsx';
import { Links } from './frame.tsx';
import type { OpenApi, Schema } from './openapi.ts';
import { Operation } from './operation.tsx';
import { eventAnchor, type Section } from './sections.ts';
import { withCode } from './text.tsx';
import { VpicIntroduction } from './vpic-introduction.tsx';

/** The operations of a tag, or the events. */
export function SectionPage({ api, section, baseUrl }: { api: OpenApi; section: Section; baseUrl: string }) {
  const { name, description, endpoints, events } = section;
  return (
    <>
      <h1>{name}</h1>
      <p class="lede">{description}</p>
      {endpoints.length < 2 ? null : (
        <details class="on-this-page">
          <summary>On this page</summary>
          <Links section={section} />
        </details>
      )}
      {section.path === '/docs/vpic' ? <VpicIntroduction baseUrl={baseUrl} /> : null}
      {events.length === 0 ? null : <Events api={api} events={events} />}
      {endpoints.map((endpoint) => (
        <Operation key={endpoint.anchor} api={api} endpoint={endpoint} baseUrl={baseUrl} />
      ))}
    </>
  );
}

/** What the service sends to addresses that subscribers name. */
function Events({ api, events }: { api: OpenApi; events: readonly string[] }) {
  return (
    <>
      <p>
        Add a webhook in the portal and choose its events. Each event is a POST with a JSON body, signed as Standard
        Webhooks describes, delivered at least once, and retried for two days if your endpoint does not answer.
      </p>
      {events.map((type) => {
        const post = api.webhooks?.[type]?.post;
        return (
          <section key={type} id={eventAnchor(type)} class="stack operation">
            <h2 class="mono">{type}</h2>
            <p>{post?.summary}</p>
            <Fields api={api} schema={dataOf(post?.requestBody?.content?.['application/json']?.schema)} />
          </section>
        );
      })}
    </>
  );
}

/** What an event says, without the envelope that all share. */
function dataOf(body: Schema | undefined): Schema {
  return body?.properties?.['data'] ?? {};
}

/** Every shared schema, with its fields. */
export function SchemasPage({ api }: { api: OpenApi }) {
  return (
    <>
      <h1>Schemas</h1>
      <p class="lede">The JSON bodies that several operations share, field by field.</p>
      {Object.entries(api.components?.schemas ?? {}).map(([name, schema]) => (
        <section key={name} id={`schema-${name}`} class="stack operation">
          <h2 class="mono">{name}</h2>
          {schema.description === undefined ? null : <p>{withCode(schema.description)}</p>}
          <Fields api={api} schema={schema} />
        </section>
      ))}
    </>
  );
}
