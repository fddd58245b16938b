import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';

import type { DecodeDeps } from '../../features/decode/decode-for.ts';
import { project } from '../../features/decode/depth.ts';
import { viewerOf } from '../../features/accounts/guard.ts';
import { sendPage } from '../../platform/ui/html.tsx';
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

export interface ReferenceDeps {
  baseUrl: () => string;
  decoder: Pick<DecodeDeps['decoder'], 'decode'>;
}

/** Adds the reference below `/docs`, rendered from what `/openapi.json` says. */
export function addReference(scope: FastifyInstance, deps: ReferenceDeps): void {
  let described: Described | undefined;
  // Routes do not change while the service runs.
  const describe = (): Described => {
    if (described === undefined) {
      const report = project('full', deps.decoder.decode(EXAMPLES.american.vin));
      described = read(JSON.stringify(scope.swagger()), report);
    }
    return described;
  };
  const options = { config: { etag: true }, schema: { hide: true } };
  scope.get('/docs', options, (request, reply) => {
    const { api, sections } = describe();
    const children = <QuickStart api={api} sections={sections} baseUrl={deps.baseUrl()} />;
    return send(request, reply, sections, { path: '/docs', baseUrl: deps.baseUrl(), title: 'API reference', children });
  });
  scope.get<{ Params: { section: string } }>('/docs/:section', options, (request, reply) => {
    const { api, sections } = describe();
    const path = `/docs/${request.params.section}`;
    if (path === SCHEMAS_PATH) {
      return send(request, reply, sections, {
        path,
        baseUrl: deps.baseUrl(),
        title: 'Schemas',
        children: <SchemasPage api={api} />,
      });
    }
    const section = sections.find((known) => known.path === path);
    if (section === undefined) return reply.callNotFound();
    const children = <SectionPage api={api} section={section} baseUrl={deps.baseUrl()} />;
    return send(request, reply, sections, {
      path,
      baseUrl: deps.baseUrl(),
      title: `${section.name}: API reference`,
      children,
    });
  });
}

interface ReferencePage {
  baseUrl: string;
  path: string;
  title: string;
  children: ComponentChildren;
}

function send(request: FastifyRequest, reply: FastifyReply, sections: readonly Section[], page: ReferencePage) {
  return sendPage(reply, {
    title: page.title,
    description: 'Every operation of the Marque API, with examples in curl, TypeScript, and Python.',
    baseUrl: page.baseUrl,
    viewer: viewerOf(request),
    current: '/docs',
    isPublic: true,
    scripts: ['reference.js'],
    children: (
      <ReferenceFrame sections={sections} current={page.path}>
        {page.children}
      </ReferenceFrame>
    ),
  });
}

/** The description, in which a report's example is what the service answers, not made of the examples of its fields. */
function read(json: string, report: Record<string, unknown>): Described {
  const api: OpenApi = JSON.parse(json);
  const schema = api.components?.schemas?.['VehicleReport'];
  if (schema !== undefined) schema.example = report;
  return { api, sections: sectionsOf(api) };
}
