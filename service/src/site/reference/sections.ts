import { type Endpoint, endpointsByTag, type OpenApi } from './openapi.ts';

/** A page of the reference: the operations of a tag, and their common parts. */
export interface Section {
  path: string;
  name: string;
  description: string;
  endpoints: Endpoint[];
  /** Requests that the service sends by itself, by the type of the event. */
  events: string[];
}

/** Names of the pages of tags, if the tag itself is too short. */
const NAMES: Readonly<Record<string, string>> = {
  vpic: 'vPIC compatibility',
  operation: 'Health checks',
};

/** Returns the pages of the reference for operations and events, in the order of the description's tags. */
export function sectionsOf(api: OpenApi): Section[] {
  const events = Object.keys(api.webhooks ?? {});
  const ofTags = endpointsByTag(api).map(({ tag, description, endpoints }) => section(tag, description, endpoints, []));
  const description = api.tags?.find(({ name }) => name === 'webhooks')?.description ?? '';
  return [...ofTags, section('webhooks', description, [], events)];
}

function section(tag: string, description: string, endpoints: Endpoint[], events: string[]): Section {
  const name = NAMES[tag] ?? `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`;
  return { path: `/docs/${tag}`, name, description, endpoints, events };
}

/** The path of the page of NHTSA's operations. */
export const VPIC_PATH = '/docs/vpic';

/** The path of the page of jobs. */
export const JOBS_PATH = '/docs/jobs';

/** The path of the page of schemas. */
export const SCHEMAS_PATH = '/docs/schemas';

/** Address of a shared schema. */
export function schemaPath(name: string): string {
  return `${SCHEMAS_PATH}#${schemaAnchor(name)}`;
}

/** Returns the name of a shared schema within its page. */
export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

/** Returns the anchor of a field within its page, after the anchor of its object. */
export function fieldAnchor(anchor: string, path: string): string {
  return `${anchor}.${path.replaceAll('[]', '')}`;
}

/** Returns the name of an event within its page. */
export function eventAnchor(type: string): string {
  return `event-${type.replace('.', '-')}`;
}
