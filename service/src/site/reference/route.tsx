import type { FastifyInstance } from 'fastify';
import type { ComponentChildren } from 'preact';

import { oneLine, wantsPart } from '../../kernel/ui/forms.ts';
import { KeptPages, type Page, sendPage, sendPart } from '../../kernel/ui/html.tsx';
import type { SiteParts } from '../slice.ts';
import { type AnswerDeps, answersTo, type ExampleAnswer, PLAN } from './answers.ts';
import type { Answers } from './code-tabs.tsx';
import { callOf, JSON_TYPE } from './examples.ts';
import { entriesOf } from './entries.tsx';
import { answerExample, type OpenApi } from './openapi.ts';
import { QuickStart } from './quick-start.tsx';
import {
  type Found,
  LONGEST_QUERY,
  ReferenceSearch,
  SEARCH_PATH,
  SearchBox,
  SearchPage,
  SearchPart,
} from './search.tsx';
import { SchemasPage, SectionPage } from './section-page.tsx';
import { eventAnchor, SCHEMAS_PATH, type Section, sectionsOf } from './sections.ts';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

interface Described {
  api: OpenApi;
  sections: Section[];
  /** What the example call of each operation brings. */
  answers: Answers;
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
export function addReference(scope: FastifyInstance, deps: SiteParts & PageKit): void {
  const kept = new KeptPages();
  let described: Promise<Described> | undefined;
  // Routes do not change while the service runs.
  const describe = (): Promise<Described> => (described ??= read(scope, deps));
  const framed = (
    sections: readonly Section[],
    path: string,
    title: string,
    children: ComponentChildren,
    search?: Searched,
  ): Page => ({
    title,
    description: 'Every operation of the Marque API, with examples in curl, TypeScript, and Python.',
    baseUrl: deps.baseUrl(),
    current: '/docs',
    isPublic: true,
    scripts: ['reference.js'],
    styles: ['reference.css'],
    children: (
      <ReferenceFrame sections={sections} current={path} {...(search === undefined ? {} : { search })}>
        {children}
      </ReferenceFrame>
    ),
  });
  const pageOf = (path: string, known: Described): Page => {
    const { title, children } = contentOf(path, known, deps.baseUrl());
    return framed(known.sections, path, title, children);
  };
  let index: ReferenceSearch | undefined;
  scope.get<{ Querystring: { q?: string } }>(SEARCH_PATH, async (request, reply) => {
    const query = oneLine(request.query.q ?? '', LONGEST_QUERY);
    const { api, sections } = await describe();
    index ??= new ReferenceSearch(entriesOf(api, sections, deps.baseUrl()));
    const search = { query, found: query === '' ? undefined : index.find(query) };
    if (wantsPart(request)) return sendPart(reply, <SearchPart {...search} />);
    return sendPage(reply, framed(sections, SEARCH_PATH, 'Search: API reference', <SearchPage {...search} />, search));
  });
  for (const url of ['/docs', '/docs/:section']) {
    scope.get<{ Params: { section?: string } }>(url, { config: { etag: true } }, async ({ params }, reply) => {
      const path = params.section === undefined ? '/docs' : `/docs/${params.section}`;
      const known = await describe();
      const paths = ['/docs', SCHEMAS_PATH, ...known.sections.map((section) => section.path)];
      if (!paths.includes(path)) return reply.callNotFound();
      return kept.send(reply, path, () => pageOf(path, known));
    });
  }
}

/** What is on a page of the reference. */
function contentOf(path: string, { api, sections, answers }: Described, baseUrl: string): ReferencePage {
  const section = sections.find((known) => known.path === path);
  if (section !== undefined) {
    return {
      title: `${section.name}: API reference`,
      children: <SectionPage api={api} section={section} answers={answers} baseUrl={baseUrl} />,
    };
  }
  if (path === SCHEMAS_PATH) return { title: 'Schemas', children: <SchemasPage api={api} /> };
  return {
    title: 'API reference',
    children: <QuickStart api={api} sections={sections} baseUrl={baseUrl} answers={answers} />,
  };
}

/** The description, with the answers to its example calls as the service gives them. */
async function read(
  scope: FastifyInstance,
  { decoder, config, clock, baseUrl }: SiteParts & PageKit,
): Promise<Described> {
  const api: OpenApi = JSON.parse(JSON.stringify(scope.swagger()));
  const sections = sectionsOf(api);
  const deps: AnswerDeps = {
    decoder,
    limits: { public: config.publicMonthlyLimit, plan: config.planLimits[PLAN] },
    nowMs: clock(),
    ask: async (path) => (await scope.inject(path)).json<unknown>(),
  };
  const answers = new Map<string, ExampleAnswer[]>();
  for (const endpoint of sections.flatMap(({ endpoints }) => endpoints)) {
    const { body } = callOf(api, endpoint, baseUrl());
    const sent: unknown = body === undefined ? undefined : JSON.parse(body.type === JSON_TYPE ? body.text : 'null');
    const known = await answersTo(`${endpoint.method} ${endpoint.path}`, sent, deps);
    const example = answerExample(api, endpoint.operation);
    if (known !== undefined) answers.set(endpoint.anchor, known);
    else if (example !== undefined) answers.set(endpoint.anchor, [{ name: undefined, body: example }]);
  }
  return { api, sections, answers };
}

interface FrameProps {
  sections: readonly Section[];
  /** Path of the page that is shown. */
  current: string;
  /** What was searched for, and found; undefined: the page is no search. */
  search?: Searched;
  children: ComponentChildren;
}

/** A page of the reference, with the contents on the left. */
function ReferenceFrame({ sections, current, search, children }: FrameProps) {
  return (
    <div class="reference">
      <div class="sidebar">
        <SearchBox query={search?.query} found={search?.found} />
        <nav aria-label="Reference">
          <ul>
            <Entry path="/docs" name="Quick start" current={current} />
            {sections.map((section) => (
              <Entry key={section.path} path={section.path} name={section.name} current={current}>
                <Links section={section} />
              </Entry>
            ))}
            <Entry path={SCHEMAS_PATH} name="Schemas" current={current} />
          </ul>
        </nav>
      </div>
      <div class="reference-page">{children}</div>
    </div>
  );
}

function Entry(props: { path: string; name: string; current: string; children?: ComponentChildren }) {
  const isCurrent = props.path === props.current;
  return (
    <li class={isCurrent ? 'current' : undefined}>
      <a href={props.path} aria-current={isCurrent ? 'page' : undefined}>
        {props.name}
      </a>
      {props.children}
    </li>
  );
}

/** The operations and events of a section. */
function Links({ section: { path, endpoints, events } }: { section: Section }) {
  return (
    <ul>
      {endpoints.map(({ anchor, path: address, operation }) => (
        <li key={anchor}>
          <a href={`${path}#${anchor}`}>{(operation.summary ?? address).replace(/\.$/, '')}</a>
        </li>
      ))}
      {events.map((type) => (
        <li key={type}>
          <a href={`${path}#${eventAnchor(type)}`}>{type}</a>
        </li>
      ))}
    </ul>
  );
}
