import { AsyncLocalStorage } from 'node:async_hooks';

import type { Span } from '@opentelemetry/api';

/** The trace of running work: a request, or a part of one. */
export interface Trace {
  /** Spans that begin now are parts of this one. */
  span: Span;
  /** The trace of the whole request. */
  request: RequestTrace;
  /** The wait for a charge's transaction, then the transaction. Ends with `span` at the latest. */
  charge: Span | undefined;
}

/** A request as a whole. */
interface RequestTrace {
  span: Span;
  decodes: number;
  /** The span from the charge to the answer. */
  report: Span | undefined;
}

/** Empty wherever nothing is traced. */
export const underWay = new AsyncLocalStorage<Trace>();

/** Returns the log fields of the current trace. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const trace = underWay.getStore();
  return trace === undefined ? {} : fieldsOf(trace.span);
}

/** Returns the same fields for a span. */
export function fieldsOf(span: Span): { trace_id: string; span_id: string } {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
