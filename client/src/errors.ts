/** Base class of the client's errors. */
export class MarqueError extends Error {
  override name = 'MarqueError';
}

/** The service could not be reached, or did not answer in time; `cause` has the reason. */
export class ConnectionFailedError extends MarqueError {
  override name = 'ConnectionFailedError';
}

/** The service refused the request. `message` is its own, meant for people. */
export class RefusedError extends MarqueError {
  override name = 'RefusedError';
  /** HTTP status. */
  readonly status: number;
  /** Id of the request, for support; not every refusal has one. */
  readonly requestId: string | undefined;

  constructor(message: string, status: number, requestId?: string) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}

/** 400, 413, 415, 422, and redirects: the request must change; `message` gives the change. */
export class InvalidRequestError extends RefusedError {
  override name = 'InvalidRequestError';
}

/** 401 and 403: the API key is missing, invalid or inactive, or its plan does not allow the request. */
export class NotAuthorizedError extends RefusedError {
  override name = 'NotAuthorizedError';
}

/** 429: the month is used up. Nothing was charged. */
export class LimitReachedError extends RefusedError {
  override name = 'LimitReachedError';
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

/** 409, 429 without a limit, 5xx: temporary, and not over within the client's retries. */
export class UnavailableError extends RefusedError {
  override name = 'UnavailableError';
  /** The seconds until the next try, if the service gave them. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, status: number, retryAfterSeconds?: number, requestId?: string) {
    super(message, status, requestId);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The VIN is still being looked up after `waitSeconds`. Nothing was charged; ask again later. */
export class StillPendingError extends MarqueError {
  override name = 'StillPendingError';
  readonly retryAfterSeconds: number;

  constructor(vin: string, retryAfterSeconds: number) {
    super(`${vin} is still being looked up. Ask again in ${retryAfterSeconds} s.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Returns the error for a response other than 2xx. */
export function refusalOf(response: Response, body: unknown): RefusedError {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {};
  const { status } = response;
  const message = typeof fields['error'] === 'string' ? fields['error'] : messageOf(status);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  if (status === 401 || status === 403) return new NotAuthorizedError(message, status, requestId);
  if (status === 429 && 'resetAt' in fields) {
    const limit = typeof fields['limit'] === 'number' ? fields['limit'] : null;
    return new LimitReachedError(
      message,
      limit,
      typeof fields['resetAt'] === 'string' ? fields['resetAt'] : null,
      requestId,
    );
  }
  if (mayWorkLater(status)) return new UnavailableError(message, status, retryAfterSeconds(response), requestId);
  return new InvalidRequestError(message, status, requestId);
}

/** Returns what an answer without a message means. Browsers hide where a redirect leads, and its status. */
function messageOf(status: number): string {
  return status < 400
    ? 'The service answered with a redirect, which is not followed: it would take the API key elsewhere. Set baseUrl to the address that it leads to.'
    : `The service answered with ${status}.`;
}

/** Returns true if the same request may succeed later. */
export function mayWorkLater(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** Returns `Retry-After` in seconds, which may be a number or a date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(response: Response, nowMs = Date.now()): number | undefined {
  const text = response.headers.get('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  // A date begins with the day of the week; JavaScript takes a number such as 1.5 for a date of 2001.
  const atMs = /^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / 1000));
}
