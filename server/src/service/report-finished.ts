import type { Logger } from '@platen/kernel';
import type { ServerHooks } from './hooks.js';
import type { RequestRecord } from './record.js';

/** Told of each request that is over. */
export type ReportFinished = (record: RequestRecord) => void;

/** Tells the observers; what one of them throws is the log's, and nobody else's. */
export function reportTo({ finished }: Pick<ServerHooks, 'finished'>, log: Logger): ReportFinished {
  return (record) => {
    try {
      finished.call(record);
    } catch (error) {
      log.error({ err: error, request: record.id }, 'an observer of finished requests failed');
    }
  };
}
