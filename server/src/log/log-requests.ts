import type { Logger, Timings } from '@platen/kernel';
import type { ServerHooks } from '../service/hooks.js';
import type { RequestRecord } from '../service/record.js';
import { redactText, redactUrl } from './redact.js';

/** One line a request, once it is over. Health checks are no news. */
export function logRequests(hooks: Pick<ServerHooks, 'finished'>, log: Logger): void {
  hooks.finished.tap({ name: 'log', stage: 0 }, (record) => {
    const { error, status } = record;
    const fields = toFields(record);
    if (record.endpoint.endsWith(' /status') && error === undefined) log.debug(fields, 'answered');
    else if (error === undefined) log.info(fields, record.plan === undefined ? 'answered' : 'rendered');
    else if (status >= 500 && !error.expose) log.error({ ...fields, err: error }, 'failed');
    else if (status >= 500) log.warn({ ...fields, ...reasonOf(error) }, 'failed');
    else log.info({ ...fields, ...reasonOf(error) }, 'refused');
  });
}

function toFields({ id, endpoint, status, code, plan, timings, bytes, durationMs }: RequestRecord): object {
  return {
    request: id,
    endpoint,
    status,
    ...(code === undefined ? {} : { code }),
    ...(plan === undefined ? {} : { output: plan.output.type, url: redactUrl(plan.url) }),
    bytes,
    ms: round(durationMs),
    ...(timings === undefined ? {} : { phases: roundAll(timings) }),
  };
}

/** Why, without repeating what the client sent: of invalid parameters only the names, their texts quote values. */
function reasonOf({ message, details, plugin }: NonNullable<RequestRecord['error']>): object {
  return {
    ...(details.errors === undefined
      ? { reason: redactText(message) }
      : { parameters: details.errors.map(({ parameter }) => parameter.slice(0, 100)).slice(0, 20) }),
    ...(plugin === undefined ? {} : { plugin }),
    ...(details.phase === undefined ? {} : { phase: details.phase }),
  };
}

function roundAll(timings: Timings): object {
  return Object.fromEntries(Object.entries(timings).map(([phase, ms]) => [phase, round(ms)]));
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
