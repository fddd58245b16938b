import type { FastifyInstance } from 'fastify';
import type { ComponentChildren } from 'preact';

import { metadataFor, project } from '../../decode/depth.ts';
import { oneLine, wantsPart } from '../../kernel/ui/forms.ts';
import { KeptPages, type Page, sendPage, sendPart } from '../../kernel/ui/html.tsx';
import type { SitePageDeps } from '../slice.ts';
import { entriesOf } from './entries.tsx';
import { ReferenceFrame } from './frame.tsx';
import type { OpenApi } from './openapi.ts';
import { EXAMPLES } from '../landing/landing.tsx';
import { type ExampleAnswer, QuickStart } from './quick-start.tsx';
import { type Found, ReferenceSearch } from './search.ts';
import { LONGEST_QUERY, SEARCH_PATH, SearchPage, SearchPart } from './search-page.tsx';
import { SchemasPage, SectionPage } from './section-page.tsx';
import { SCHEMAS_PATH, type Section, sectionsOf } from './sections.ts';

interface Described {
  api: OpenApi;
  sections: Section[];
  /** What the first step of the quick start brings. */
  answers: ExampleAnswer[];
}

interface Searched {
  query: string;
  found: Found | undefined;
}

interface ReferencePage {
  title: string;
  children: ComponentChildren;
}

/** Adds the reference below `/docs`, rendered from what `/openapi.json` says. */
export function addReference(scope: FastifyInstance, deps: SitePageDeps): void {
  const kept = new KeptPages();
  let described: Described | undefined;
  // Routes do not change while the service runs.
  const describe = (): Described => (described ??= read(scope, deps));
  const isKnown = (path: string): boolean =>
    path === '/docs' || path === SCHEMAS_PATH || describe().sections.some((section) => section.path === path);
  const framed = (path: string, title: string, children: ComponentChildren, search?: Searched): Page => ({
    title,
    description: 'Every operation of the Marque API, with examples in curl, TypeScript, and Python.',
    baseUrl: deps.baseUrl(),
    current: '/docs',
    isPublic: true,
    scripts: ['reference.js'],
    styles: ['reference.css'],
    children: (
      <ReferenceFrame sections={describe().sections} current={path} {...(search === undefined ? {} : { search })}>
        {children}
      </ReferenceFrame>
    ),
  });
  const pageOf = (path: string): Page => {
    const { title, children } = contentOf(path, describe(), deps.baseUrl());
    return framed(path, title, children);
  };
  let index: ReferenceSearch | undefined;
  scope.get<{ Querystring: { q?: string } }>(SEARCH_PATH, (request, reply) => {
    const query = oneLine(request.query.q ?? '', LONGEST_QUERY);
    const { api, sections } = describe();
    index ??= new ReferenceSearch(entriesOf(api, sections, deps.baseUrl()));
    const search = { query, found: query === '' ? undefined : index.find(query) };
    if (wantsPart(request)) return sendPart(reply, <SearchPart {...search} />);
    return sendPage(reply, framed(SEARCH_PATH, 'Search: API reference', <SearchPage {...search} />, search));
  });
  for (const url of ['/docs', '/docs/:section']) {
    scope.get<{ Params: { section?: string } }>(url, { config: { etag: true } }, ({ params }, reply) => {
      const path = params.section === undefined ? '/docs' : `/docs/${params.section}`;
      if (!isKnown(path)) return reply.callNotFound();
      return kept.send(reply, path, () => pageOf(path));
    });
  }
}

/** What is on a page of the reference. */
function contentOf(path: string, { api, sections, answers }: Described, baseUrl: string): ReferencePage {
  const section = sections.find((known) => known.path === path);
  if (section !== undefined) {
    return {
      title: `${section.name}: API reference`,
      children: <SectionPage api={api} section={section} baseUrl={baseUrl} />,
    };
  }
  if (path === SCHEMAS_PATH) return { title: 'Schemas', children: <SchemasPage api={api} /> };
  return {
    title: 'API reference',
    children: <QuickStart api={api} sections={sections} baseUrl={baseUrl} answers={answers} />,
  };
}

/** The description, in which examples of answers are what the service answers, not made of the examples of fields. */
function read(scope: FastifyInstance, { decoder, config, clock }: SitePageDeps): Described {
  const api: OpenApi = JSON.parse(JSON.stringify(scope.swagger()));
  const report = decoder.decode(EXAMPLES.american.vin);
  const plan = 'business';
  const answers = [
    {
      name: 'Without a key',
      body: { report: project('basic', report), usage: usageOf(config.publicMonthlyLimit, clock()) },
    },
    {
      name: 'With a plan',
      body: {
        report: project('full', report),
        usage: usageOf(config.planLimits[plan], clock()),
        metadata: metadataFor(plan, report),
      },
    },
  ];
  const { schemas } = api.components ?? {};
  if (schemas?.['VehicleReport'] !== undefined) schemas['VehicleReport'].example = project('full', report);
  if (schemas?.['DecodeResponse'] !== undefined) schemas['DecodeResponse'].example = answers.at(-1)?.body;
  return { api, sections: sectionsOf(api), answers };
}

/** After the first decode of this month. */
function usageOf(limit: number | null, nowMs: number) {
  const now = new Date(nowMs);
  const resetAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString();
  return { limit, remaining: limit === null ? null : limit - 1, resetAt };
}
