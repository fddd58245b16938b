import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { FastifyRequest } from 'fastify';

import packageJson from '../../../package.json' with { type: 'json' };
import { recheckKey, type Subscriber } from '../../workspaces/index.ts';
import { answerTo, logFault } from '../../kernel/http/errors.ts';
import { turnsOf } from '../batch/queue.ts';
import type { DecodeParts } from '../parts.ts';
import { meteredBackend } from './metered.ts';
import { faultInBatch, isCancellation, withPlainFaults } from './faults.ts';
import { serverWith } from './tools.ts';

/** The protocol's own headers beside the key. */
const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'];

const JSON_TYPE = { 'content-type': 'application/json' };

/** An answer to messages. */
interface McpAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Answers one message, or several, of a caller with a key: a server for each request, since there is no session. */
export async function answerMcp(deps: DecodeParts, caller: Subscriber, request: FastifyRequest): Promise<McpAnswer> {
  const messages: readonly unknown[] = Array.isArray(request.body) ? request.body : [request.body];
  const fault = faultInBatch(messages);
  if (fault !== undefined) return { status: 400, headers: JSON_TYPE, text: JSON.stringify(fault) };
  const transport = withPlainFaults(new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true }));
  const next = turnsOf(deps, caller);
  const server = serverWith(meteredBackend(deps, caller), packageJson.version, {
    textOf: (error) => {
      const { status, text } = answerTo(error);
      logFault(error, status, request.log);
      return text;
    },
    turn: async () => {
      await next();
      // Ten calls may wait for ten turns, of some seconds each.
      await recheckKey(deps.access, request);
    },
  });
  await server.connect(transport);
  // The SDK would never answer a call that its own batch cancels. Calls of other requests have other servers.
  const calls = messages.filter((message) => !isCancellation(message));
  const parsedBody = calls.length === 0 ? messages : calls;
  const response = await transport.handleRequest(asWeb(request), { parsedBody });
  // Read before the server closes, which ends every open stream.
  const text = await response.text();
  await server.close();
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

function asWeb({ headers }: FastifyRequest): Request {
  const sent = PROTOCOL_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return new Request('http://localhost/mcp', { method: 'POST', headers: Object.fromEntries(sent) });
}
