import type { FastifyInstance } from 'fastify';
import type { ComponentChildren } from 'preact';

import { project } from '../../decode/depth.ts';
import { sendPage } from '../../kernel/ui/html.tsx';
import type { PageDeps } from '../../page-deps.ts';
import { ReferenceFrame } from './frame.tsx';
import type { OpenApi } from './openapi.ts';
import { EXAMPLES } from '../landing/landing.tsx';
import { QuickStart } from './quick-start.tsx';
import { SchemasPage, SectionPage } from './section-page.tsx';
import { SCHEMAS_PATH, type Section, sectionsOf } from './sections.ts';

interface Described {
  api: OpenApi;
  sections: Section[];
}

interface ReferencePage {
  title: string;
  children: ComponentChildren;
}

/** Adds the reference below `/docs`, rendered from what `/openapi.json` says. */
export function addReference(scope: FastifyInstance, deps: PageDeps): void {
  let described: Described | undefined;
  // Routes do not change while the service runs.
  const describe = (): Described => (described ??= read(scope, deps));
  const pageAt = (path: string): ReferencePage | undefined => {
    const { api, sections } = describe();
    const baseUrl = deps.baseUrl();
    if (path === '/docs') {
      return { title: 'API reference', children: <QuickStart api={api} sections={sections} baseUrl={baseUrl} /> };
    }
    if (path === SCHEMAS_PATH) return { title: 'Schemas', children: <SchemasPage api={api} /> };
    const section = sections.find((known) => known.path === path);
    return (
      section && {
        title: `${section.name}: API reference`,
        children: <SectionPage api={api} section={section} baseUrl={baseUrl} />,
      }
    );
  };
  for (const url of ['/docs', '/docs/:section']) {
    scope.get<{ Params: { section?: string } }>(url, { config: { etag: true } }, ({ params }, reply) => {
      const path = params.section === undefined ? '/docs' : `/docs/${params.section}`;
      const page = pageAt(path);
      if (page === undefined) return reply.callNotFound();
      return sendPage(reply, {
        title: page.title,
        description: 'Every operation of the Marque API, with examples in curl, TypeScript, and Python.',
        baseUrl: deps.baseUrl(),
        current: '/docs',
        isPublic: true,
        scripts: ['reference.js'],
        children: (
          <ReferenceFrame sections={describe().sections} current={path}>
            {page.children}
          </ReferenceFrame>
        ),
      });
    });
  }
}

/** The description, in which a report's example is what the service answers, not made of the examples of its fields. */
function read(scope: FastifyInstance, { decoder }: PageDeps): Described {
  const api: OpenApi = JSON.parse(JSON.stringify(scope.swagger()));
  const schema = api.components?.schemas?.['VehicleReport'];
  if (schema !== undefined) schema.example = project('full', decoder.decode(EXAMPLES.american.vin));
  return { api, sections: sectionsOf(api) };
}
