import { type Decoder, type Hints, readVin } from '@marque/decoder';

import { type Corrections, type Reporter, faultsInFurther, type Claim } from '../../corrections/index.ts';
import { isRecord } from '../../kernel/records.ts';

/** A tool's answer to the model. A refusal is a result too: the model reads it and can act on it. */
export type ToolAnswer =
  | {
      kind: 'answered';
      value: object;
      /** Data for the program around the model. */
      meta?: Record<string, unknown>;
    }
  | { kind: 'refused'; message: string; meta?: Record<string, unknown> };

/** The work of the tools for the connected client. */
export interface McpBackend {
  decode(vin: string): Promise<ToolAnswer>;
  /** Decodes VINs: `results` in their order. */
  decodeMany(vins: readonly string[]): Promise<ToolAnswer>;
  check(text: string): Promise<object>;
  /** Undefined: the plan does not see candidates, and there is no such tool. */
  candidates: ((vin: string, hints: Hints) => Promise<ToolAnswer>) | undefined;
  /** Undefined: the client may not see the evidence, and there is no such tool. */
  explain: ((vin: string) => object) | undefined;
  report(claim: Claim): Promise<ToolAnswer>;
}

/** VINs in one call, and in the calls of one batch: as much as a model can read. */
export const MOST_VINS = 100;

/** Counts the VINs in calls with lists of them. */
export function vinsIn(messages: readonly unknown[]): number {
  return messages.reduce<number>((sum, message) => {
    const params = isRecord(message) ? message['params'] : undefined;
    const given = isRecord(params) ? params['arguments'] : undefined;
    return sum + (isRecord(given) && Array.isArray(given['vins']) ? given['vins'].length : 0);
  }, 0);
}

/** Queues a report of a wrong decode, with the present answer. */
export async function reportWrong(
  { decoder, corrections }: { decoder: Pick<Decoder, 'decode'>; corrections: Pick<Corrections, 'submit'> },
  from: { reporter: Reporter; source: 'public' | 'subscriber' },
  claim: Claim,
): Promise<ToolAnswer> {
  const form = readVin(claim.vin);
  if (form.kind === 'malformed') return { kind: 'refused', message: form.message };
  const [unfit] = faultsInFurther(claim.expectedFields ?? {});
  if (unfit !== undefined) return { kind: 'refused', message: unfit };
  const outcome = await corrections.submit({ ...from, claim, actualReport: { ...decoder.decode(form.vin) } });
  return outcome.kind === 'saved'
    ? { kind: 'answered', value: { saved: true, state: 'queued for review' } }
    : {
        kind: 'refused',
        message: 'Too many reports are waiting for review. Send this one after some have been reviewed.',
      };
}
