import { randomBytes } from 'node:crypto';

/** A request's place in a distributed trace, as in log lines. */
export interface TraceContext {
  /** 32 hex digits: the whole trace. */
  readonly trace_id: string;
  /** 16 hex digits: this request, as a span of the server. */
  readonly span_id: string;
  /** 16 hex digits: the caller's span. */
  readonly parent_id: string;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const ZERO = /^0+$/;

/**
 * `traceparent` (W3C Trace Context, 3.2): the header's values, of which there must be exactly one. Undefined if it is absent or invalid: a
 * new trace that no other system knows would add nothing to the request id.
 */
export function readTraceContext(values: readonly string[] = []): TraceContext | undefined {
  const [value = '', ...others] = values;
  const [, version, trace_id = '', parent_id = '', more] = TRACEPARENT.exec(value) ?? [];
  // Later versions may have more fields, and are parsed like this one (3.2.4).
  const isVersion = version !== undefined && version !== 'ff' && (version !== '00' || more === undefined);
  if (others.length > 0 || !isVersion || ZERO.test(trace_id) || ZERO.test(parent_id)) return undefined;
  return { trace_id, span_id: randomBytes(8).toString('hex'), parent_id };
}
