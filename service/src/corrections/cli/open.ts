import type { Decoder } from '@marque/decoder';

import { labelledFolder, openConfiguredCatalog } from '../../catalog/open.ts';
import { systemClock } from '../../kernel/clock.ts';
import { correctedDecoder, type Corrections, LiveOverrides, openCorrections, type Review } from '../index.ts';
import { LiveCatalog } from '../../catalog/index.ts';
import { CommandError, type Io } from '../../kernel/cli/io.ts';
import { withDatabase } from '../../kernel/cli/settings.ts';

/** Opens corrections on a database that a running service may share, and closes them again. */
export async function withCorrections<T>(
  io: Pick<Io, 'env' | 'openDatabase'>,
  use: (corrections: Corrections, answering: Decoder) => Promise<T>,
): Promise<T> {
  return withDatabase(io, async (database, config) => {
    const live = await LiveOverrides.open(database);
    const catalog = await LiveCatalog.open(openConfiguredCatalog(config), database);
    const { decoder } = catalog;
    const corrections = openCorrections({
      database,
      clock: systemClock,
      decoder,
      live,
      labelledFolder: labelledFolder(),
      sendsMail: config.smtpUrl !== undefined,
      nameOf: (path) => path,
    });
    try {
      return await use(corrections, correctedDecoder(decoder, live.current));
    } finally {
      await catalog.close();
      await live.close();
    }
  });
}

/**
 * A report with what is needed to decide on it.
 *
 * @throws CommandError when there is no such report.
 */
export async function reviewOf(corrections: Corrections, id: string): Promise<Review> {
  return (await corrections.review(id)) ?? refuse(id, { kind: 'unknown' });
}

/** Throws a failed outcome as a sentence for people. */
export function refuse(
  id: string,
  outcome: { kind: 'invalid'; faults: string[] } | { kind: 'not-possible'; state: string } | { kind: 'unknown' },
): never {
  switch (outcome.kind) {
    case 'invalid':
      throw new CommandError(outcome.faults.join('\n'));
    case 'not-possible':
      throw new CommandError(`Report ${id} is ${outcome.state}: this is not possible in that state.`);
    case 'unknown':
      throw new CommandError(`There is no report ${id}. See marque corrections list.`);
    default:
      return outcome satisfies never;
  }
}
