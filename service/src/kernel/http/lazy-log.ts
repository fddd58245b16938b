import type { FastifyBaseLogger } from 'fastify';

/**
 * Returns the same log, except that the log of a request is made at its first line: nearly no request writes anything,
 * and making a log costs more than most of the rest of a request.
 */
export function withLazyChildren(log: FastifyBaseLogger): FastifyBaseLogger {
  // Not as Fastify's `childLoggerFactory`: it checks each log that one gives, for every request.
  const parent = (): FastifyBaseLogger => log;
  const child = (...how: HowToMake): FastifyBaseLogger => new LazyLog(parent, how);
  const whole: FastifyBaseLogger = Object.create(log, { child: { value: child } });
  return whole;
}

type HowToMake = Parameters<FastifyBaseLogger['child']>;

class LazyLog implements FastifyBaseLogger {
  readonly #parent: () => FastifyBaseLogger;
  readonly #how: HowToMake;
  #made: FastifyBaseLogger | undefined;
  readonly #itself = (): FastifyBaseLogger => this.#log;

  constructor(parent: () => FastifyBaseLogger, how: HowToMake) {
    this.#parent = parent;
    this.#how = how;
  }

  get level(): string {
    return this.#log.level;
  }

  set level(level: string) {
    this.#log.level = level;
  }

  fatal(...line: unknown[]): void {
    this.#write('fatal', line);
  }

  error(...line: unknown[]): void {
    this.#write('error', line);
  }

  warn(...line: unknown[]): void {
    this.#write('warn', line);
  }

  info(...line: unknown[]): void {
    this.#write('info', line);
  }

  debug(...line: unknown[]): void {
    this.#write('debug', line);
  }

  trace(...line: unknown[]): void {
    this.#write('trace', line);
  }

  silent(...line: unknown[]): void {
    this.#write('silent', line);
  }

  child(...how: HowToMake): FastifyBaseLogger {
    // Fastify makes the service's own log a child, so the logs of requests are children of that one.
    return new LazyLog(this.#itself, how);
  }

  get #log(): FastifyBaseLogger {
    this.#made ??= this.#parent().child(...this.#how);
    return this.#made;
  }

  #write(level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent', line: unknown[]): void {
    Reflect.apply(this.#log[level], this.#log, line);
  }
}
