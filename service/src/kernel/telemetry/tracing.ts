import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Provider } from './provider.ts';
import { fieldsOf, type Trace, underWay } from './under-way.ts';

/** Paths that are polled every few seconds, and would bury all others. */
const PROBES = new Set(['/healthz', '/readyz']);

/** Decodes of one request that have a span each. */
const MAX_DECODE_SPANS = 16;

/**
 * Traces requests: authentication, the decode, the charge, the report; and look-ups outside, by themselves. Spans
 * contain a route, a status, a plan and a WMI; never a key, an address, or more of a VIN.
 */
export class Tracing {
  readonly #provider: Provider;
  readonly #requests = new WeakMap<FastifyRequest, Trace>();

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  /** Sends what waits, and traces no more. */
  async close(): Promise<void> {
    await this.#provider.close();
  }

  /** Traces every request from its arrival to the end of its answer. Goes before all other hooks. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', (request, _reply, done) => {
      if (PROBES.has(request.routeOptions.url ?? '')) {
        done();
        return;
      }
      const span = this.#provider.tracer.startSpan(
        `${request.method} ${request.routeOptions.url ?? 'unknown'}`,
        {
          kind: SpanKind.SERVER,
          attributes: {
            'http.request.method': request.method,
            'http.route': request.routeOptions.url ?? 'unknown',
          },
        },
        parentOf(request.headers.traceparent),
      );
      const whole: Trace = { span, request: { span, decodes: 0, report: undefined }, charge: undefined };
      this.#requests.set(request, whole);
      underWay.run(whole, done);
    });
    // A body is read in events of its connection, outside the context of the request.
    app.addHook('preHandler', (request, _reply, done) => {
      const whole = this.#requests.get(request);
      if (whole === undefined) done();
      else underWay.run(whole, done);
    });
    app.addHook('onSend', (request, _reply, payload, done) => {
      this.#requests.get(request)?.request.report?.end();
      done(null, payload);
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.#end(request, reply.statusCode);
      done();
    });
    app.addHook('onRequestAbort', (request, done) => {
      this.#end(request, undefined);
      done();
    });
  }

  /** Returns the log fields of a request's trace. */
  fieldsOf(request: FastifyRequest): { trace_id?: string; span_id?: string } {
    const whole = this.#requests.get(request);
    return whole === undefined ? {} : fieldsOf(whole.span);
  }

  /**
   * Called by the meter when a charge begins to wait; the function it returns is called when its transaction begins.
   */
  readonly chargeWaits = (): (() => void) | undefined => {
    const now = underWay.getStore();
    if (now === undefined || !now.span.isRecording()) return undefined;
    const wait = this.#begin('usage.wait', now.span);
    now.charge = wait;
    return () => {
      // The client already has an answer, and does not wait any more.
      if (now.charge !== wait) return;
      wait.end();
      now.charge = this.#begin('usage.commit', now.span);
    };
  };

  /** Begins a span in a separate trace: no request waits for its work. */
  separate(name: string, attributes: Attributes): Span {
    return this.#provider.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, ROOT_CONTEXT);
  }

  /** Marks the work of a span as failed. */
  fail(span: Span): void {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Runs one decode of a request in a separate span; only the first ones of a batch, which can have a thousand. */
  decode<T>(wmi: string, work: () => T): T {
    const now = underWay.getStore();
    if (now === undefined || !now.span.isRecording()) return work();
    now.request.decodes += 1;
    if (now.request.decodes > MAX_DECODE_SPANS) return work();
    const span = this.#begin('decode', now.span, { 'marque.wmi': wmi });
    try {
      return work();
    } finally {
      span.end();
    }
  }

  /** Runs a part of a request in a separate span; without a request, in none. */
  async part<T>(name: string, attributes: Attributes, work: (span: Span | undefined) => Promise<T>): Promise<T> {
    const now = underWay.getStore();
    if (now === undefined || !now.span.isRecording()) return work(undefined);
    const part: Trace = { span: this.#begin(name, now.span, attributes), request: now.request, charge: undefined };
    try {
      return await underWay.run(part, () => work(part.span));
    } catch (error) {
      part.span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      part.charge?.end();
      part.charge = undefined;
      part.span.end();
    }
  }

  /** Begins the span from the charge to the answer. */
  beginReport(): void {
    const now = underWay.getStore();
    if (now === undefined || !now.span.isRecording()) return;
    now.request.report ??= this.#begin('report', now.request.span);
  }

  #begin(name: string, parent: Span, attributes: Attributes = {}): Span {
    return this.#provider.tracer.startSpan(name, { attributes }, trace.setSpan(ROOT_CONTEXT, parent));
  }

  /** Ends the span of a request. `status` undefined: the caller went away. */
  #end(request: FastifyRequest, status: number | undefined): void {
    const whole = this.#requests.get(request);
    if (whole === undefined) return;
    this.#requests.delete(request);
    const { span } = whole;
    const { caller } = request;
    if (caller !== null) span.setAttribute('marque.plan', caller.kind === 'subscriber' ? caller.plan : 'public');
    if (whole.request.decodes > 0) span.setAttribute('marque.decodes', whole.request.decodes);
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (status === undefined || status >= 500) {
      span.setAttribute('error.type', status === undefined ? 'aborted' : String(status));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  }
}

/**
 * Returns the span outside that a request belongs to, by W3C's `traceparent`. Only its two ids are taken from a caller,
 * trusted or not: they can do no more than appear in our spans.
 */
function parentOf(traceparent: string | string[] | undefined): Context {
  const parsed = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  if (parsed === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parsed.traceId,
    spanId: parsed.spanId,
    traceFlags: 0,
    isRemote: true,
  });
}
