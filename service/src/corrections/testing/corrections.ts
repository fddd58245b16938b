import { systemClock } from '../../kernel/clock.ts';
import { type Corrections, correctedDecoder, type CorrectedDecoder, LiveOverrides, openCorrections } from '../index.ts';
import type { Claim, Reporter } from '../index.ts';
import type { Database } from '../../kernel/db/index.ts';
import { decoder } from '../../testing/decoder.ts';

/** Corrections of one instance, and its decoders. */
export interface TestCorrections {
  corrections: Corrections;
  corrected: CorrectedDecoder;
  live: LiveOverrides;
}

/** Returns an instance's corrections on an opened database. Close `live` before the database. */
export async function correctionsOn(
  database: Database,
  options: { labeledFolder?: string; sendsMail?: boolean } = {},
): Promise<TestCorrections> {
  const live = await LiveOverrides.open(database, () => {});
  const corrections = openCorrections({
    database,
    clock: systemClock,
    catalog: { decoder },
    live,
    labeledFolder: options.labeledFolder,
    sendsMail: options.sendsMail ?? false,
    nameOf: (path) => path,
  });
  return { corrections, corrected: correctedDecoder({ decoder }, live.current), live };
}

/** Returns a claim that a VIN is a Honda Accord sedan of 2003, but for `changes`. */
export function claimOn(vin: string, changes: Partial<Claim> = {}): Claim {
  return {
    vin,
    expectedManufacturer: 'Honda',
    expectedModel: 'Accord',
    expectedBodyStyle: 'Sedan',
    expectedModelYear: '2003',
    note: 'Seen in person.',
    ...changes,
  };
}

/** Stores a report; gives its id. */
export async function report(
  { corrections }: Pick<TestCorrections, 'corrections'>,
  claim: Claim,
  reporter: Reporter = { kind: 'public', clientId: 'somebody' },
  notifyEmail?: string,
): Promise<string> {
  const source = reporter.kind === 'public' ? 'public' : 'subscriber';
  const submission = { reporter, source, claim, actualReport: null } as const;
  const outcome = await corrections.submit(notifyEmail === undefined ? submission : { ...submission, notifyEmail });
  if (outcome.kind !== 'saved') throw new Error(outcome.kind);
  return outcome.id;
}
