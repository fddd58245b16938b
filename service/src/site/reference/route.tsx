import { setImmediate as nextTurn } from 'node:timers/promises';

import { errorCodes, type FastifyInstance, type FastifyReply } from 'fastify';
import type { ComponentChildren } from 'preact';

import { busyError } from '../../kernel/http/errors.ts';
import { oneLine, wantsPart } from '../../kernel/ui/forms.ts';
import { CachedPages, type Page, sendPage, sendPart } from '../../kernel/ui/html.tsx';
import type { WorkTurns } from '../../kernel/limits/work-turns.ts';
import { inTurn } from '../in-turn.ts';
import type { SiteParts } from '../slice.ts';
import { type AnswerDeps, answersTo, type ExampleAnswer, PLAN } from './answers.ts';
import type { Answers } from './code-tabs.tsx';
import { COLLECTION_PATH, collectionOf } from './collection.ts';
import { callOf, JSON_TYPE } from './examples.ts';
import { entriesOf } from './entries.tsx';
import { answerExample, type OpenApi } from './openapi.ts';
import { QuickStart } from './quick-start.tsx';
import { LONGEST_QUERY, SEARCH_PATH, SearchPage, SearchPart } from './search.tsx';
import { ReferenceSearch } from './search-index.ts';
import { SchemasPage, SectionPage } from './section-page.tsx';
import { SCHEMAS_PATH, type Section, sectionsOf } from './sections.ts';
import { ReferenceFrame, type Searched } from './frame.tsx';
import { guides, GUIDES_PATH } from '../guides/documents.ts';
import { llmsText } from '../guides/llms.ts';
import { GuideIndex, GuidePage, withAddress } from '../guides/pages.tsx';
import type { PageKit } from '../../kernel/ui/page-kit.ts';

interface Described {
  api: OpenApi;
  sections: Section[];
  /** Answers to the example call of each operation. */
  answers: Answers;
}

interface ReferencePage {
  title: string;
  children: ComponentChildren;
}

/** Adds the reference below `/docs`, rendered from `/openapi.json`. */
export function addReference(scope: FastifyInstance, deps: SiteParts & PageKit, turns: WorkTurns): void {
  const kept = new CachedPages();
  let described: Promise<Described> | undefined;
  // Routes do not change while the service runs.
  const describe = (): Promise<Described> => (described ??= read(scope, deps).catch(refuseWhileClosing));
  const framed = (
    sections: readonly Section[],
    path: string,
    title: string,
    children: ComponentChildren,
    search?: Searched,
  ): Page => ({
    title,
    description: 'Every operation of the Marque API with examples, and guides to using and running it.',
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
  let index: Promise<ReferenceSearch> | undefined;
  scope.get<{ Querystring: { q?: string } }>(SEARCH_PATH, async (request, reply) => {
    const query = oneLine(request.query.q ?? '', LONGEST_QUERY);
    const { api, sections } = await describe();
    index ??= ReferenceSearch.of(entriesOf(api, sections, deps.baseUrl()));
    const known = await index;
    return inTurn(turns, deps.networkOf(request), () => {
      const search = { query, found: query === '' ? undefined : known.find(query) };
      if (wantsPart(request)) return sendPart(reply, <SearchPart {...search} />);
      return sendPage(
        reply,
        framed(sections, SEARCH_PATH, 'Search: documentation', <SearchPage {...search} />, search),
      );
    });
  });
  addGuides(scope, deps, async (path, title, children) => {
    const { sections } = await describe();
    return framed(sections, path, title, children);
  });
  addCollection(scope, deps, describe);
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

/** Adds the guides, and what programs that read for a person begin with. */
function addGuides(
  scope: FastifyInstance,
  { baseUrl }: PageKit,
  framed: (path: string, title: string, children: ComponentChildren) => Promise<Page>,
): void {
  const kept = new CachedPages();
  scope.get(GUIDES_PATH, { config: { etag: true } }, async (_request, reply) => {
    const page = await framed(GUIDES_PATH, 'Guides', <GuideIndex />);
    return kept.send(reply, GUIDES_PATH, () => page);
  });
  scope.get<{ Params: { file: string } }>(
    `${GUIDES_PATH}/:file`,
    { config: { etag: true } },
    async (request, reply) => {
      const { file } = request.params;
      const guide = guides().find(({ name }) => name === file || `${name}.md` === file);
      if (guide === undefined) return reply.callNotFound();
      if (file.endsWith('.md')) return sendText(reply, 'text/markdown', withAddress(guide.document, baseUrl()));
      const page = await framed(guide.path, guide.title, <GuidePage guide={guide} baseUrl={baseUrl()} />);
      return kept.send(reply, guide.path, () => page);
    },
  );
  scope.get('/llms.txt', { config: { etag: true } }, (_request, reply) =>
    sendText(reply, 'text/plain', llmsText(baseUrl())),
  );
}

/** Adds every operation as a collection for clients of HTTP. */
function addCollection(scope: FastifyInstance, { baseUrl }: PageKit, describe: () => Promise<Described>): void {
  scope.get(COLLECTION_PATH, { config: { etag: true } }, async (_request, reply) => {
    const { api, sections } = await describe();
    return reply
      .header('cache-control', 'no-cache')
      .header('content-disposition', 'attachment; filename="marque.postman_collection.json"')
      .send(collectionOf(api, sections, baseUrl()));
  });
}

/** Sends a text that is the same for everybody, and may be kept if its tag is asked for. */
function sendText(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(text);
}

/** @throws HttpError 503 where the service asked itself for an example while it stops, else the error. */
function refuseWhileClosing(error: unknown): never {
  if (!(error instanceof errorCodes.FST_ERR_REOPENED_CLOSE_SERVER)) throw error;
  throw busyError();
}

/** Returns the content of a page of the reference. */
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

/** Returns the description, with the answers to its example calls as the service gives them. */
async function read(
  scope: FastifyInstance,
  { decoder, config, clock, baseUrl }: SiteParts & PageKit,
): Promise<Described> {
  const described = scope.swagger();
  await nextTurn();
  const api: OpenApi = JSON.parse(JSON.stringify(described));
  const sections = sectionsOf(api);
  const deps: AnswerDeps = {
    decoder,
    limits: { public: config.publicMonthlyLimit, plan: config.planLimits[PLAN] },
    nowMs: clock(),
    ask: async (path) => (await scope.inject(path)).json<unknown>(),
  };
  const answers = new Map<string, ExampleAnswer[]>();
  for (const endpoint of sections.flatMap(({ endpoints }) => endpoints)) {
    await nextTurn();
    const { body } = callOf(api, endpoint, baseUrl());
    const sent: unknown = body === undefined ? undefined : JSON.parse(body.type === JSON_TYPE ? body.text : 'null');
    const known = await answersTo(`${endpoint.method} ${endpoint.path}`, sent, deps);
    const example = answerExample(api, endpoint.operation);
    if (known !== undefined) answers.set(endpoint.anchor, known);
    else if (example !== undefined) answers.set(endpoint.anchor, [{ name: undefined, body: example }]);
  }
  return { api, sections, answers };
}
