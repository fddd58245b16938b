import type { Decoder } from '@marque/decoder';

import { whyOf, fieldsInWords } from '../../report/index.ts';
import type { Caller } from '../../workspaces/index.ts';
import type { DecodeOutcome } from '../metered.ts';
import { project, depthOf, metadataFor, premiumPaths } from '../depth.ts';
import type { DecodeView } from './decode-answer.tsx';
import { count } from '../../kernel/ui/numbers.ts';
import { usageInfo } from '../usage-answer.ts';

/** Returns true if a decode box suggests likely VINs beside this outcome. */
export function canSuggest({ kind }: DecodeOutcome): boolean {
  return kind === 'malformed' || kind === 'granted';
}

/** The input of a decode box, and its outcome. */
interface Tried {
  /** The content of the box. */
  text: string;
  outcome: DecodeOutcome;
  caller: Caller;
  /** The likely VINs, if it is mistyped. */
  likely: readonly { vin: string }[];
  tookMs: number;
  decoder: Pick<Decoder, 'explain'>;
}

/** Returns an outcome as a decode box shows it, cut to the fields that the caller may see. Pure. */
export function viewOf({ text, outcome, caller, likely, tookMs, decoder }: Tried): DecodeView {
  const suggestions = likely.slice(0, 3).map(({ vin }) => vin);
  if (outcome.kind === 'malformed') {
    return { kind: 'malformed', message: lengthFault(text) ?? outcome.message, suggestions };
  }
  if (outcome.kind === 'exhausted') {
    return { kind: 'exhausted', message: exhaustedText(caller, outcome.usage.resetAtMs) };
  }
  if (outcome.kind === 'overloaded') return outcome;
  if (outcome.kind === 'pending') {
    return { kind: 'pending', vin: outcome.vin, retryAfterSeconds: outcome.retryAfterSeconds };
  }
  // A box sends no idempotency key, so that the other kinds cannot occur; should they, trying again is right.
  if (outcome.kind !== 'granted') return { kind: 'overloaded', retryAfterSeconds: 1 };

  const plan = caller.kind === 'subscriber' ? caller.plan : undefined;
  const whole = outcome.answer.report();
  const report = project(depthOf(plan), whole);
  const body = {
    report,
    usage: usageInfo(outcome.usage),
    ...(plan === undefined ? {} : { metadata: metadataFor(plan, whole) }),
  };
  const moreFields = depthOf(plan) === 'full' ? '' : fieldsInWords(premiumPaths(whole));
  const why = whyOf(decoder.explain(whole.vin), report, depthOf(plan) === 'full');
  return { kind: 'report', why, id: outcome.id, tookMs, report, body, usage: outcome.usage, suggestions, moreFields };
}

/**
 * Returns the fault of the length. Nothing else is reported while it is wrong: wrong characters show once all are
 * there.
 */
function lengthFault(text: string): string | undefined {
  const entered = [...text.replace(/[\s.\-\u2010-\u2015\u2212]/g, '')].length;
  return entered === 17 || entered === 0 ? undefined : `A VIN has 17 characters; you entered ${entered}.`;
}

function exhaustedText(caller: Caller, resetAtMs: number): string {
  const day = new Date(resetAtMs).toLocaleDateString('en-US', { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const limit = count(caller.limit ?? 0);
  return caller.kind === 'subscriber'
    ? `This month's ${limit} decodes are used. The count restarts on ${day} (UTC).`
    : `The ${limit} decodes a month without an account are used at your address. The count restarts on ${day} (UTC). An account gives you more.`;
}
