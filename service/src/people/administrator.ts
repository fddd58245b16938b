import type { FastifyRequest } from 'fastify';

import { personOf } from './guard.ts';
import type { Actor } from '../kernel/audit/index.ts';

/** The administrator who asks, as the audit log names them. */
export function actorOf(request: FastifyRequest): Actor {
  return `admin:${personOf(request).email}`;
}
