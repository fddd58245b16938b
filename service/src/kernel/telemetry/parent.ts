import { type Context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/**
 * The span outside that a request belongs to, by W3C's `traceparent`. Only its two ids are taken from a caller, trusted
 * or not: they can do no more than appear in our spans.
 */
export function parentOf(traceparent: string | string[] | undefined): Context {
  const parsed = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
  if (parsed === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parsed.traceId,
    spanId: parsed.spanId,
    traceFlags: 0,
    isRemote: true,
  });
}
