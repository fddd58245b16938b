import type { Hints } from '@marque/decoder';

import { type Subscriber, subjectOf } from '../../workspaces/index.ts';
import { type Reporter, reportLimits } from '../../corrections/index.ts';
import { turnsOf } from '../batch/queue.ts';
import { batchRequest, lineOf } from '../batch/lines.ts';
import type { DecodeParts } from '../parts.ts';
import { candidatesFor, tooOftenText } from '../candidates/candidates-for.ts';
import { checkForm } from '../check.ts';
import { project, depthOf } from '../depth.ts';
import { decodeFor, decodeManyFor, type DecodeOutcome } from '../metered.ts';
import { exhaustedText, refusalOf, usageInfo } from '../usage-answer.ts';
import { type McpBackend, reportWrong, type ToolAnswer } from './backend.ts';

/** Returns the tools for somebody with a key: as deep as the plan sees, and charged as over the API. */
export function meteredBackend(deps: DecodeParts, caller: Subscriber): McpBackend {
  const depth = depthOf(caller.plan);
  return {
    decode: async (text) => {
      const outcome = await decodeFor(deps, caller, { text, id: deps.newId(), idempotencyKey: undefined });
      if (outcome.kind !== 'granted') return refusedBy(outcome, caller);
      const meta = { usage: usageInfo(outcome.usage), requestId: outcome.id };
      return { kind: 'answered', value: project(depth, outcome.answer.report()), meta };
    },
    decodeMany: async (texts) => {
      const outcome = await decodeManyFor(
        deps,
        caller,
        await batchRequest(texts, deps.newId, undefined, turnsOf(deps, caller)),
      );
      if (outcome.kind !== 'settled') return refusedBy(outcome, caller);
      const results = outcome.items.map((item, index) => lineOf(texts[index] ?? '', item, depth, true));
      return { kind: 'answered', value: { results }, meta: { usage: usageInfo(outcome.usage) } };
    },
    check: async (sent) => {
      const found = await deps.suggestions.for(sent, subjectOf(caller));
      // The reasons for a suggestion disclose its decoded values, and a decode is not free.
      return { ...checkForm(sent), suggestions: found.map(({ vin, changes }) => ({ vin, changes })) };
    },
    candidates: depth === 'full' ? (vin, hints) => candidates(deps, caller, vin, hints) : undefined,
    // Clients may not see the sources of facts.
    explain: undefined,
    report: async (claim) => {
      const seconds = await reportLimits(deps.rateLimit).subscriber.take(subjectOf(caller), deps.clock());
      return seconds === 0
        ? reportWrong(deps, { reporter: reporterOf(caller), source: 'subscriber' }, claim)
        : { kind: 'refused', message: `Too many reports in a short time. Try again in ${seconds} seconds.` };
    },
  };
}

async function candidates(deps: DecodeParts, caller: Subscriber, text: string, hints: Hints): Promise<ToolAnswer> {
  const outcome = await candidatesFor(deps, caller, { id: deps.newId(), text, hints });
  if (outcome.kind === 'too-often') return { kind: 'refused', message: tooOftenText(outcome.retryAfterSeconds) };
  if (outcome.kind !== 'granted') return refusedBy(outcome, caller);
  const { answer, usage, id } = outcome;
  const value = { ...answer, report: project('full', answer.report) };
  return { kind: 'answered', value, meta: { usage: usageInfo(usage), requestId: id } };
}

function reporterOf({ workspaceId, keyId }: Subscriber): Reporter {
  return { kind: 'workspace', workspaceId, keyId };
}

type NotGranted = Exclude<DecodeOutcome, { kind: 'granted' }>;

function refusedBy(outcome: NotGranted, caller: Subscriber): ToolAnswer {
  if (outcome.kind !== 'exhausted' && outcome.kind !== 'pending') {
    return { kind: 'refused', message: refusalOf(outcome).message };
  }
  const message =
    outcome.kind === 'exhausted'
      ? exhaustedText(caller)
      : `This VIN is being looked up outside. Ask again in ${outcome.retryAfterSeconds} seconds. Nothing was charged.`;
  return { kind: 'refused', message, meta: { usage: usageInfo(outcome.usage) } };
}
