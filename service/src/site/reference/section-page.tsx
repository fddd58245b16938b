import type { Answers } from './code-tabs.tsx';
import { Fields } from './fields.tsx';
import { Fold } from './fold.tsx';
import { eventData, type OpenApi } from './openapi.ts';
import { Operation } from './operation.tsx';
import { eventAnchor, schemaAnchor, type Section, VPIC_PATH } from './sections.ts';
import { withCode } from './text.tsx';
import { VpicIntroduction } from './vpic-introduction.tsx';

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
      {endpoints.map((endpoint) => (
        <Operation
          key={endpoint.anchor}
          api={api}
          endpoint={endpoint}
          answers={answers.get(endpoint.anchor) ?? []}
          baseUrl={baseUrl}
          isOpen={endpoints.length === 1}
        />
      ))}
    </>
  );
}

/** What the service sends to addresses that subscribers name. */
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
