import { RETRY_AFTER_SECONDS } from '../kernel/http/errors.ts';
import type { Exchange } from '../kernel/http/exchanges.ts';
import { type FairBounds, FairQueue } from '../kernel/limits/fair-queue.ts';
import type { Tenant } from '../kernel/limits/slots.ts';
import { placeOf, tooMany } from './transfer-refusals.ts';

/**
 * Milliseconds after which a body that does not come may lose its place, and between two looks; the bytes that it must
 * bring in that time.
 */
const LATE = { ms: 1_000, everyMs: 250, bytes: 10_000 };

/** Someone who sends a file for a workspace. */
export interface Sender {
  tenant: Tenant;
  /** The person or key. */
  id: string;
}

/** A file with a place whose body comes. */
interface Arriving {
  sender: Sender;
  request: Exchange['request'];
  gone: AbortController;
  /** The bytes of its connection when it had last brought enough, and when that was seen. */
  bytes: number;
  bytesSinceMs: number;
}

/**
 * Places of files that are received and read. A sender may have all of a workspace's places, and as many files may wait.
 * But a sender of the workspace who has none gets the place of a body that hardly comes.
 */
export class UploadPlaces {
  readonly #senders: FairQueue;
  readonly #places: FairQueue;
  readonly #arriving = new Set<Arriving>();
  readonly #now: () => number;
  readonly #refusal: string;

  /** @param now milliseconds of a clock that never jumps. @param refusal of one too many of a workspace. */
  constructor(bounds: FairBounds, now: () => number, refusal: string) {
    // Who waits for own files takes no place of those who wait for others.
    this.#senders = new FairQueue({ ...bounds, all: Infinity, reserved: 0 }, now);
    this.#places = new FairQueue(bounds, now);
    this.#now = now;
    this.#refusal = refusal;
  }

  /**
   * Waits for a place.
   *
   * @param gone is aborted with the refusal when the place is given to another sender.
   * @returns what frees it.
   * @throws HttpError 429 or 503 with `Retry-After`.
   */
  async enter(sender: Sender, request: Exchange['request'], gone: AbortController): Promise<() => void> {
    const { tenant, id } = sender;
    const own = await this.#senders.enter({ ...tenant, id: `${tenant.id} ${id}` }, gone.signal);
    const leaveOwn = placeOf(own, this.#refusal);
    const timer = setInterval(() => this.#endLate(sender), LATE.everyMs).unref();
    try {
      const leavePlace = placeOf(await this.#places.enter(tenant, gone.signal), this.#refusal);
      const bytes = request.socket.bytesRead;
      const arriving: Arriving = { sender, request, gone, bytes, bytesSinceMs: this.#now() };
      this.#arriving.add(arriving);
      request.once('end', () => this.#arriving.delete(arriving));
      return () => {
        this.#arriving.delete(arriving);
        leavePlace();
        leaveOwn();
      };
    } catch (error) {
      leaveOwn();
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  /** Ends the oldest late body of other senders of the workspace, if this one has none that comes. */
  #endLate({ tenant, id }: Sender): void {
    const bodies = [...this.#arriving].filter(({ sender }) => sender.tenant.id === tenant.id);
    const nowMs = this.#now();
    for (const body of bodies) {
      const { bytesRead } = body.request.socket;
      if (bytesRead - body.bytes >= LATE.bytes) Object.assign(body, { bytes: bytesRead, bytesSinceMs: nowMs });
    }
    if (bodies.some(({ sender }) => sender.id === id)) return;
    const late = bodies.find(({ bytesSinceMs }) => nowMs - bytesSinceMs >= LATE.ms);
    if (late === undefined) return;
    this.#arriving.delete(late);
    late.gone.abort(tooMany(this.#refusal, RETRY_AFTER_SECONDS));
  }
}
