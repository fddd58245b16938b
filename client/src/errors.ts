/** Base of everything that the client throws. */
export class MarqueError extends Error {
  override name = 'MarqueError';
}

/** The service was not reached, or did not answer in time; `cause` says why. */
export class ConnectionFailed extends MarqueError {
  override name = 'ConnectionFailed';
}

/** The service refused. `message` is its own sentence, meant for people. */
export class Refused extends MarqueError {
  override name = 'Refused';
  /** HTTP status. */
  readonly status: number;
  /** Id of the request, for questions about it; not every refusal has one. */
  readonly requestId: string | undefined;

  constructor(message: string, status: number, requestId?: string) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** 400, 413, 415, 422: the request itself has to change; `message` says how. */
export class InvalidRequest extends Refused {
  override name = 'InvalidRequest';
}

/** 401 and 403: the API key is invalid or inactive, or there is none where one is needed, or its plan does not allow it. */
export class NotAuthorized extends Refused {
  override name = 'NotAuthorized';
}

/** 429: the month is used up. Nothing was charged. */
export class LimitReached extends Refused {
  override name = 'LimitReached';
  /** Decodes in the month; null: no limit. */
  readonly limit: number | null;
  /** When the next month begins. */
  readonly resetAt: Date | null;

  constructor(message: string, limit: number | null, resetAt: string | null, requestId?: string) {
    super(message, 429, requestId);
    this.limit = limit;
    this.resetAt = resetAt === null ? null : new Date(resetAt);
  }
}

/** 409, 429 without a limit, 5xx: it may work later, and did not within the client's retries. */
export class Unavailable extends Refused {
  override name = 'Unavailable';
  /** What the service said of when to try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, status: number, retryAfterSeconds?: number, requestId?: string) {
    super(message, status, requestId);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The VIN is still being looked up after `waitSeconds`. Nothing was charged; ask again later. */
export class StillPending extends MarqueError {
  override name = 'StillPending';
  readonly retryAfterSeconds: number;

  constructor(vin: string, retryAfterSeconds: number) {
    super(`${vin} is still being looked up. Ask again in ${retryAfterSeconds} s.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The error that an answer other than 2xx stands for. */
export function refusalOf(response: Response, body: unknown): Refused {
  const said: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const message = typeof said['error'] === 'string' ? said['error'] : `The service answered with ${response.status}.`;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const { status } = response;
  if (status === 401 || status === 403) return new NotAuthorized(message, status, requestId);
  if (status === 429 && 'resetAt' in said) {
    const limit = typeof said['limit'] === 'number' ? said['limit'] : null;
    return new LimitReached(message, limit, typeof said['resetAt'] === 'string' ? said['resetAt'] : null, requestId);
  }
  if (mayWorkLater(status)) return new Unavailable(message, status, retryAfterSeconds(response), requestId);
  return new InvalidRequest(message, status, requestId);
}

/** Whether the same request may be answered otherwise later. */
export function mayWorkLater(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** `Retry-After` in seconds, which may be a number or a date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(response: Response, nowMs = Date.now()): number | undefined {
  const text = response.headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
