import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { isApi } from '../kernel/http/browser-safety.ts';
import { wideNetworkOf } from '../kernel/limits/wide-network.ts';
import type { NetworkOf } from './address.ts';
import type { Sort } from './admission-queue.ts';
import { isMcp } from './admission-refusal.ts';
import type { KnownWorkspace } from './caller.ts';
import type { Plan } from './plan.ts';

/** Matches the path of a batch, with any query. A message to an assistant's tools may contain several calls. */
const BATCH = /(?:batch|^\/mcp)\/?(?:\?|$)/i;

/** Matches an address with a key, as NHTSA's clients send it. Whose it is shows when it was looked up. */
const KEY_IN_URL = /[?&]api_key=/;

/** Says whose a request is. */
export interface SenderReader {
  /** Returns the workspace of a key that was looked up lately. */
  workspaceOf: (headers: IncomingHttpHeaders) => KnownWorkspace | undefined;
  networkOf: NetworkOf;
}

/** Returns what a request is and whose, as far as its path and headers show it. */
export function sortOf(request: IncomingMessage, { workspaceOf, networkOf }: SenderReader): Sort {
  const workspace = workspaceOf(request.headers);
  const tenant = workspace?.id ?? wideNetworkOf(networkOf(request));
  return { ...kindOf(request, workspace?.plan), tenant };
}

function kindOf({ url = '', method, headers }: IncomingMessage, plan: Plan | undefined): Omit<Sort, 'tenant'> {
  // Whether a page may call the API is answered without its key.
  if (method === 'OPTIONS' || !(isApi(url) || isMcp(url))) return { kind: 'page', passes: true };
  if (headers['x-api-key'] === undefined && headers.authorization === undefined)
    return { kind: 'public', passes: KEY_IN_URL.test(url) };
  const passes = plan !== 'free';
  if (BATCH.test(url)) return { kind: isPaid(plan) ? 'paid-batch' : 'batch', passes };
  return { kind: isPaid(plan) ? 'paid' : 'free', passes };
}

/** Returns true for a plan that is paid for. */
export function isPaid(plan: Plan | undefined): boolean {
  return plan !== undefined && plan !== 'free';
}
