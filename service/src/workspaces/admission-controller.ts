import type { IncomingMessage, ServerResponse } from 'node:http';

import { type Exchange as BareExchange, onceOver } from '../kernel/http/exchanges.ts';
import { type AdmissionBounds, BOUNDS } from './admission-bounds.ts';
import { AdmissionQueue, type Sort } from './admission-queue.ts';
import type { Exchange, GoOn, Pending } from './admission-refusal.ts';
import { isPaid, type SenderReader, sortOf } from './admission-sort.ts';
import type { KnownWorkspace } from './caller.ts';

/**
 * After this many turns without a new connection, none is waiting. Node accepts one per turn, after the requests on
 * connections that were ready before it.
 */
const QUIET_TURNS = 2;

/** Checks for expired requests per waiting limit. */
const EXPIRIES = 10;

/** Options of admission. */
export interface ControllerOptions extends SenderReader {
  /** Counts the memory of a body that waits. @returns a function that ends it. */
  holdBody?: (request: IncomingMessage, bytes: number) => () => void;
  bounds?: Partial<AdmissionBounds>;
  /** Milliseconds of a clock that never jumps. */
  now?: () => number;
}

/** Whose a request is, once it was identified. */
export interface Sender {
  /** The workspace of its key; undefined: it has none. */
  workspace: KnownWorkspace | undefined;
  /** False for what takes no place. */
  isCounted: boolean;
  /** Characters of its body, if that is not read yet. */
  bodyLength?: number;
}

/** The turn in which a request was served last. */
interface Served {
  turn: number;
  response: ServerResponse;
  isSignIn: boolean;
}

/** A request that waits to be served, or to go on. */
type Waiting = Exchange & Pick<Pending, 'goOn' | 'release'>;

/** Decides when each request is served. */
export class AdmissionController {
  readonly #serve: (exchange: Exchange) => void;
  readonly #refuse: (exchange: Pending) => void;
  readonly #senders: SenderReader;
  readonly #holdBody: ControllerOptions['holdBody'];
  readonly #bounds: AdmissionBounds;
  readonly #now: () => number;
  readonly #queue = new AdmissionQueue<Pending>();
  /** Health checks that this turn had no time for. */
  readonly #health: Exchange[] = [];
  /** Pages of sign-in, and bodies of their forms. */
  readonly #signIn: Waiting[] = [];
  /** The turn in which each request was served, or went on. Health checks are not among them, and never wait again. */
  readonly #served = new WeakMap<IncomingMessage, Served>();
  #turn = 0;
  #inProgress = 0;
  /** Requests of `#inProgress` without a paid plan. */
  #ofOthers = 0;
  /** When this turn served its first request. */
  #servingSinceMs: number | undefined;
  /** Turns that have ended since a connection was accepted. */
  #quietTurns = QUIET_TURNS;
  /** Connections since a request was served. */
  #connections = 0;
  #isEndPlanned = false;
  #expiresAtMs = 0;
  #isExcused = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(
    serve: (exchange: Exchange) => void,
    refuse: (exchange: Pending) => void,
    { bounds, now = () => performance.now(), holdBody, ...senders }: ControllerOptions,
  ) {
    this.#serve = serve;
    this.#refuse = refuse;
    this.#senders = senders;
    this.#holdBody = holdBody;
    this.#bounds = { ...BOUNDS, ...bounds };
    this.#now = now;
  }

  /** Serves a request now if there is time, otherwise later. */
  admit(exchange: Exchange): void {
    this.#enter(exchange, () => sortOf(exchange.request, this.#senders));
  }

  /**
   * Lets a request go on whose body, or whose key, may have come after it was served: at once if not, otherwise as soon
   * as there is time, and a place for its plan.
   *
   * @param goOn gets an error if it is shed.
   */
  arrived(request: IncomingMessage, { workspace, isCounted, bodyLength }: Sender, goOn: GoOn): void {
    const sort = (): Sort => ({
      ...sortOf(request, { ...this.#senders, workspaceOf: () => workspace }),
      passes: !isCounted || isPaid(workspace?.plan),
    });
    const served = this.#served.get(request);
    if (served?.isSignIn === true) return this.#signInArrived(request, served, goOn, bodyLength);
    const isHeld = served !== undefined && this.#isFullOfOthers() && !sort().passes;
    if (served === undefined || (served.turn === this.#turn && !isHeld)) goOn();
    else this.#enter({ request, response: served.response, goOn }, sort, bodyLength);
  }

  #enter(exchange: Waiting, sortOfIt: () => Sort, bodyLength = 0): void {
    this.#planEnd();
    if (this.#queue.size === 0 && this.#hasTime() && (!this.#isFullOfOthers() || sortOfIt().passes)) {
      this.#hand(exchange);
      return;
    }
    const sort = sortOfIt();
    const release = bodyLength === 0 ? undefined : this.#holdBody?.(exchange.request, bodyLength);
    const pending = { ...exchange, kind: sort.kind, ...(release && { release }) };
    const place = this.#queue.add(sort, pending, this.#now());
    // Its client may go before its turn.
    onceOver(exchange, () => {
      this.#queue.drop(place);
      release?.();
    });
    if (this.#queue.size > this.#bounds.pending) this.#shed(this.#queue.last());
    this.#expiry ??= this.#startExpiry();
  }

  /** Lets the body of a form of sign-in be read at the end of a turn, as its page is served. */
  #signInArrived(request: IncomingMessage, { turn, response }: Served, goOn: GoOn, bodyLength?: number): void {
    if (turn === this.#turn || bodyLength === undefined) return goOn();
    this.#planEnd();
    const release = this.#holdBody?.(request, bodyLength);
    const exchange = { request, response };
    if (release !== undefined) onceOver(exchange, release);
    this.#signIn.push({ ...exchange, goOn, ...(release && { release }) });
  }

  #hand({ goOn, release, ...exchange }: Waiting, isSignIn = false): void {
    release?.();
    this.#served.set(exchange.request, { turn: this.#turn, response: exchange.response, isSignIn });
    if (goOn === undefined) this.#serve(exchange);
    else goOn();
  }

  /** Serves a health check now, otherwise within the next turns. */
  admitHealth(exchange: Exchange): void {
    this.#planEnd();
    this.#servingSinceMs ??= this.#now();
    // Not the whole turn: a flood of them would leave nothing of it to others.
    const hasTime = this.#now() - this.#servingSinceMs < this.#bounds.firstMs;
    if (this.#health.length === 0 && hasTime) this.#serve(exchange);
    else this.#health.push(exchange);
  }

  /** Serves a page of sign-in at the end of a turn. */
  admitSignIn(exchange: Exchange): void {
    this.#planEnd();
    this.#signIn.push(exchange);
  }

  /** Notes that a connection was accepted. */
  connected(): void {
    this.#planEnd();
    this.#quietTurns = 0;
    this.#connections += 1;
  }

  /** Counts a request as in progress until its answer is sent. @returns a function that ends it before. */
  begin(exchange: BareExchange, isPaid: boolean): () => void {
    const others = isPaid ? 0 : 1;
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.#inProgress -= 1;
      this.#ofOthers -= others;
      if (this.#queue.size > 0) this.#planEnd();
    };
    this.#inProgress += 1;
    this.#ofOthers += others;
    // Not the hook onResponse: it does not run if the client disconnects before the answer.
    onceOver(exchange, end);
    return end;
  }

  #hasTime(): boolean {
    if (this.#isFull() || this.#isAccepting()) return false;
    this.#servingSinceMs ??= this.#now();
    this.#connections = 0;
    return this.#now() - this.#servingSinceMs < this.#bounds.turnMs;
  }

  #isFull(): boolean {
    return this.#inProgress >= this.#bounds.inProgress;
  }

  #isFullOfOthers(): boolean {
    return this.#ofOthers >= this.#bounds.ofOthers;
  }

  #isAccepting(): boolean {
    return this.#quietTurns < QUIET_TURNS && this.#connections < this.#bounds.connections;
  }

  #planEnd(): void {
    if (this.#isEndPlanned) return;
    this.#isEndPlanned = true;
    setImmediate(() => this.#endTurn());
  }

  /** Serves one pending request only: others with a higher priority may be read before the next one. */
  #endTurn(): void {
    const isAccepting = this.#isAccepting();
    this.#isEndPlanned = false;
    this.#turn += 1;
    this.#servingSinceMs = undefined;
    this.#quietTurns += 1;
    if (this.#queue.size > 0) this.#expireIfDue();
    this.#serveHealth();
    this.#serveSignIn();
    const isFirstLeft = this.#health.length > 0 || this.#signIn.length > 0;
    const isHeld = this.#isFullOfOthers();
    const isLeft = isHeld ? this.#queue.passing > 0 : this.#queue.size > 0;
    if (isAccepting || isFirstLeft || (isLeft && !this.#isFull())) this.#planEnd();
    if (isAccepting || this.#isFull()) return;
    this.#connections = 0;
    const afterMs = this.#now() - this.#bounds.pendingMs / 2;
    const next = this.#queue.next(afterMs, isHeld);
    if (next?.request.socket.destroyed === false) this.#hand(next);
  }

  #serveHealth(): void {
    const untilMs = this.#now() + this.#bounds.firstMs;
    const served = this.#health.findIndex((exchange) => {
      if (this.#now() > untilMs) return true;
      if (!exchange.request.socket.destroyed) this.#serve(exchange);
      return false;
    });
    this.#health.splice(0, served === -1 ? this.#health.length : served);
  }

  #serveSignIn(): void {
    const exchange = this.#signIn.shift();
    if (exchange?.request.socket.destroyed === false) this.#hand(exchange, true);
  }

  #startExpiry(): NodeJS.Timeout {
    const everyMs = this.#bounds.pendingMs / EXPIRIES;
    this.#expiresAtMs = this.#now() + everyMs;
    return setInterval(() => this.#expireIfDue(), everyMs).unref();
  }

  /** Sheds requests that have waited too long. */
  #expireIfDue(): void {
    const everyMs = this.#bounds.pendingMs / EXPIRIES;
    const nowMs = this.#now();
    const lateMs = nowMs - this.#expiresAtMs;
    if (lateMs < 0) return;
    this.#expiresAtMs = nowMs + everyMs;
    // The process was suspended: earlier requests had no chance to be served meanwhile, and get one now.
    this.#isExcused = lateMs > everyMs && !this.#isExcused;
    const { few, fewPendingMs, pendingMs } = this.#bounds;
    const sinceMs = nowMs - (this.#queue.size > few ? pendingMs : fewPendingMs);
    if (!this.#isExcused) for (const exchange of this.#queue.expired(sinceMs)) this.#shed(exchange);
    if (this.#queue.size > 0) return;
    clearInterval(this.#expiry);
    this.#expiry = undefined;
  }

  #shed(exchange: Pending | undefined): void {
    exchange?.release?.();
    if (exchange?.request.socket.destroyed === false) this.#refuse(exchange);
  }
}
