import type { FastifyBaseLogger } from 'fastify';

import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/index.ts';
import type { ResolveName } from '../../../platform/egress/index.ts';
import { ClaimLoop } from '../../../platform/jobs/claim-loop.ts';
import { bodyOf } from '../events.ts';
import { type SecretBox, signedHeaders } from '../secret.ts';
import { type CourierBounds, DEFAULT_BOUNDS } from './bounds.ts';
import { claimRounds, type Round } from './claim.ts';
import { finishRound, releaseRound, type Tried } from './finish.ts';
import { Sender } from './send.ts';

/** What delivering needs. */
export interface CourierDeps {
  database: Database;
  clock: Clock;
  box: SecretBox;
  /** Whether http and addresses of this network may be used. */
  allowPrivate: boolean;
  /** Whether owners are told by mail that an endpoint was disabled. */
  sendsMail: boolean;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  /** Hears of every try that was made. */
  tried?: (outcome: 'delivered' | 'failed') => void;
  random?: () => number;
  bounds?: CourierBounds;
  /** Finds a name's addresses; the system's way unless a test brings its own. */
  resolve?: ResolveName;
}

/** Delivers what is due, as long as it is started. */
export class Courier {
  readonly #deps: CourierDeps;
  readonly #sender: Sender;
  readonly #stop = new AbortController();
  readonly #loop: ClaimLoop<Round>;
  #failingUnderWay = 0;

  constructor(deps: CourierDeps) {
    this.#deps = deps;
    const { database, clock, log, bounds = DEFAULT_BOUNDS } = deps;
    this.#sender = new Sender({ ...deps, timeoutMs: bounds.timeoutMs, concurrent: bounds.perEndpoint });
    this.#loop = new ClaimLoop({
      concurrent: bounds.endpoints,
      pollMs: bounds.pollMs,
      clock,
      claim: (all) => {
        const failing = Math.ceil(bounds.endpoints / 2) - this.#failingUnderWay;
        return claimRounds(database, { all, failing }, clock(), bounds);
      },
      work: (round) => this.#deliver(round),
      failed: (error) => log.warn({ err: error }, 'webhooks cannot be claimed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** There may be something due: looks at once. */
  nudge(): void {
    this.#loop.wake();
  }

  /** Ends what is under way, gives the rest back, and takes no more. Close it before the database. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop.close();
    await this.#sender.close();
  }

  /** Never rejects: an endpoint whose round cannot be stored is claimed again when its lease is over. */
  async #deliver(round: Round): Promise<void> {
    const { database, clock, random = Math.random, sendsMail, log } = this.#deps;
    if (round.isFailing) this.#failingUnderWay += 1;
    try {
      const tried = (await this.#post(round)).filter((one) => one !== undefined);
      // Stopped half way: what has its answer is noted, the rest is another's.
      if (this.#stop.signal.aborted && tried.length === 0) await releaseRound(database, round, clock());
      else await finishRound(database, round, tried, { nowMs: clock(), random, sendsMail });
    } catch (error) {
      log.warn({ err: error, endpoint: round.endpointId }, 'webhooks cannot be noted');
    } finally {
      if (round.isFailing) this.#failingUnderWay -= 1;
    }
  }

  #post(round: Round): Promise<(Tried | undefined)[]> {
    const { clock, box, log, tried } = this.#deps;
    const secrets = round.secrets.map((sealed) => box.open(sealed, round.endpointId));
    return Promise.all(
      round.deliveries.map(async (delivery) => {
        const body = bodyOf(delivery);
        const headers = signedHeaders(delivery.event_id, clock(), body, secrets);
        const attempt = await this.#sender.post(round.url, headers, body, this.#stop.signal);
        if (this.#stop.signal.aborted && attempt.kind === 'unanswered') return undefined;
        tried?.(attempt.kind === 'delivered' ? 'delivered' : 'failed');
        if (attempt.kind !== 'delivered') {
          const { event_id: event, endpoint_id: endpoint } = delivery;
          log.info({ event, endpoint, tries: delivery.tries + 1, attempt }, 'webhook not delivered');
        }
        return { delivery, attempt };
      }),
    );
  }
}
