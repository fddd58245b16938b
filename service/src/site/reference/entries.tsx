import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { guideParts, guides as documents, WEIGHT_OF_ANSWERS } from '../guides/documents.ts';
import { ERRORS, errorAnchor, GUIDES, headerAnchor } from './guides.tsx';
import { type Endpoint, eventData, fieldsOf, headersOf, nameOf, type OpenApi, type Schema } from './openapi.ts';
import { GetAKey, JobsIntroduction, ReadTheAnswer, VpicIntroduction } from './quick-start.tsx';
import type { Entry } from './search-index.ts';
import { EventsIntroduction } from './section-page.tsx';
import {
  eventAnchor,
  fieldAnchor,
  JOBS_PATH,
  schemaAnchor,
  schemaPath,
  SCHEMAS_PATH,
  type Section,
  VPIC_PATH,
} from './sections.ts';

/** Yields everything of the reference that can be found, in parts that each take little time. */
export function* entriesOf(api: OpenApi, sections: readonly Section[], baseUrl: string): Generator<Entry[]> {
  yield [guide('/docs#start', 'Get a key', <GetAKey />)];
  yield [guide('/docs#answer', 'Read the answer', <ReadTheAnswer />)];
  for (const { anchor, name, Text } of GUIDES) {
    yield [guide(`/docs#${anchor}`, name, <Text api={api} baseUrl={baseUrl} />)];
  }
  yield [guide(VPIC_PATH, 'vPIC compatibility', <VpicIntroduction baseUrl={baseUrl} />)];
  yield [guide(JOBS_PATH, 'Jobs', <JobsIntroduction baseUrl={baseUrl} />)];
  yield [guide('/docs/webhooks', 'Webhooks', <EventsIntroduction />)];
  for (const document of documents()) {
    yield guideParts(document).map(({ href, title, context, text }) =>
      entry('Guide', href, title, context, text, document.weight),
    );
  }
  yield ERRORS.map(([status, when, what]) =>
    entry('Error', `/docs#${errorAnchor(status)}`, status, '', `${when} ${what}`),
  );
  yield headersOf(api).map(({ name, in: place, description }) =>
    entry('Header', `/docs#${headerAnchor(name)}`, name, place, description),
  );
  for (const { path, name, endpoints, events } of sections) {
    for (const endpoint of endpoints) yield ofEndpoint(path, endpoint);
    for (const type of events) {
      const { summary = '' } = api.webhooks?.[type]?.post ?? {};
      const event = entry('Event', `${path}#${eventAnchor(type)}`, type, name, summary);
      yield [event, ...fields(path, eventAnchor(type), type, eventData(api, type))];
    }
  }
  for (const [name, schema] of Object.entries(api.components?.schemas ?? {})) {
    const own = entry('Schema', schemaPath(name), name, '', schema.description ?? '');
    yield [own, ...fields(SCHEMAS_PATH, schemaAnchor(name), name, schema)];
  }
}

function guide(href: string, name: string, text: ComponentChildren): Entry {
  return entry('Guide', href, name, '', textOf(text), WEIGHT_OF_ANSWERS);
}

function ofEndpoint(page: string, { method, path, anchor, operation }: Endpoint): Entry[] {
  const { summary = path, description = '', parameters = [], requestBody, responses = {} } = operation;
  const parts = [
    description,
    ...parameters.map((parameter) => `${parameter.name}: ${parameter.description ?? ''}`),
    ...Object.entries(responses).map(([status, answer]) => `${status}: ${answer.description ?? ''}`),
  ];
  const address = `${method} ${path}`;
  const body = requestBody?.content?.['application/json']?.schema ?? {};
  return [
    entry('Operation', `${page}#${anchor}`, summary.replace(/\.$/, ''), address, parts.join(' ')),
    // A shared one is found among the schemas.
    ...(nameOf(body) === undefined ? fields(page, anchor, address, body) : []),
  ];
}

function fields(page: string, anchor: string, of: string, schema: Schema): Entry[] {
  return fieldsOf(schema).map(({ path, description }) =>
    entry('Field', `${page}#${fieldAnchor(anchor, path)}`, path, of, description),
  );
}

function entry(
  kind: Entry['kind'],
  href: string,
  title: string,
  context: string,
  text: string,
  weight: number = 1,
): Entry {
  return { kind, href, title, context, text: text.replaceAll('`', ''), weight };
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Returns the text of a part of a page, without its tables, whose rows are found one by one. */
function textOf(part: ComponentChildren): string {
  return renderToString(<>{part}</>)
    .replace(/<table.*?<\/table>/gs, ' ')
    .replace(/<\/?(?:p|pre|h[1-6]|li|ul|div)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}
