import type { Logger, PlatenError, Timings } from '@platen/kernel';
import { redactText, redactUrl } from '../log/create-log.js';
import type { ServerHooks } from './hooks.js';
import type { RequestRecord } from './record.js';

/** Logs one line per request, when it has ended. Quiet ones are logged at debug level only, if they succeed. */
export function logRequests(hooks: Pick<ServerHooks, 'finished'>, log: Logger): void {
  hooks.finished.tap({ name: 'log', stage: 0 }, (record) => {
    const { error, status } = record;
    const fields = toFields(record);
    if (record.isQuiet === true && error === undefined) log.debug(fields, 'answered');
    else if (error === undefined) log.info(fields, record.plan === undefined ? 'answered' : 'rendered');
    else if (!error.expose) log.error({ ...fields, err: error }, 'failed');
    else if (status >= 500 || status < 400) log.warn({ ...fields, ...reasonOf(error) }, 'failed');
    else log.info({ ...fields, ...reasonOf(error) }, 'refused');
  });
}

function toFields({ id, trace, endpoint, status, identity, cache, code, plan, timings, bytes, durationMs }: RequestRecord): object {
  return {
    request: id,
    ...trace,
    endpoint,
    status,
    ...(identity === undefined ? {} : { identity }),
    ...(cache === undefined ? {} : { cache }),
    ...(code === undefined ? {} : { code }),
    ...(plan === undefined ? {} : { output: plan.output.type, url: redactUrl(plan.url) }),
    bytes,
    ms: round(durationMs),
    ...(timings === undefined ? {} : { phases: roundAll(timings) }),
  };
}

/** The cause, without repeating data that the client sent. */
function reasonOf(error: PlatenError): object {
  const { plugin, details } = error;
  return {
    ...wordsOf(error),
    ...(plugin === undefined ? {} : { plugin }),
    ...(details.phase === undefined ? {} : { phase: details.phase }),
  };
}

/** Errors whose text quotes the request: a script's own error, a selector, a step. */
const QUOTING: readonly string[] = ['script_failed', 'step_failed', 'selector_not_found', 'selector_empty'];

function wordsOf({ code, message, cause, details: { errors } }: PlatenError): object {
  // Only the names of invalid parameters: their texts quote values.
  if (errors !== undefined) return { parameters: errors.map(({ parameter }) => parameter.slice(0, 100)).slice(0, 20) };
  if (code === 'browser_unavailable' && cause instanceof Error) return { reason: redactText(`${message}: ${cause.message}`) };
  return QUOTING.includes(code) ? {} : { reason: redactText(message) };
}

function roundAll(timings: Timings): object {
  return Object.fromEntries(Object.entries(timings).map(([phase, ms]) => [phase, round(ms)]));
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
