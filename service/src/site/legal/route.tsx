import type { FastifyInstance } from 'fastify';

import type { Config } from '../../kernel/config/config.ts';
import { sendPage } from '../../kernel/ui/html.tsx';
import { PrivacyPage } from './privacy.tsx';
import { TermsPage } from './terms.tsx';

/** Adds `/privacy` and `/terms`. */
export function addLegal(scope: FastifyInstance, config: Config): void {
  const pages = [
    { path: '/privacy', title: 'Privacy', children: <PrivacyPage config={config} /> },
    { path: '/terms', title: 'Terms', children: <TermsPage config={config} /> },
  ];
  for (const { path, title, children } of pages) {
    scope.get(path, (_request, reply) => sendPage(reply, { title, current: path, isPublic: true, children }));
  }
}
