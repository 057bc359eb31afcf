import type { Logger } from '@platen/kernel';
import type { ServerHooks } from './hooks.js';
import type { RequestRecord } from './record.js';

/** Called for each request that has ended. */
export type ReportFinished = (record: RequestRecord) => void;

/** Notifies the observers; an error that one of them throws is only logged. */
export function reportTo({ finished }: Pick<ServerHooks, 'finished'>, log: Logger): ReportFinished {
  return (record) => {
    try {
      finished.call(record);
    } catch (error) {
      log.error({ err: error, request: record.id }, 'an observer of finished requests failed');
    }
  };
}
