import { silentLogger } from '@platen/kernel';
import type { Archive, ArchivedResponse } from '@platen/lib-archive';
import { Replay, type ReplayOptions } from '../../../../plugins/page/replay/src/replay.js';

export interface FakeRecord extends Partial<Omit<ArchivedResponse, 'body'>> {
  readonly body?: string | Error;
}

/** An archive of these responses, by URL. */
export function replayOf(records: Readonly<Record<string, FakeRecord>>, options: Partial<ReplayOptions> = {}): Replay {
  const { signal } = new AbortController();
  const archive: Archive = {
    kind: 'wacz',
    sha256: 'ab'.repeat(32),
    find: ({ url }) => {
      const record = records[url];
      if (record === undefined) return Promise.resolve(undefined);
      const { body = '', ...head } = record;
      const read = () => (typeof body === 'string' ? Promise.resolve(Buffer.from(body)) : Promise.reject(body));
      const response = { url, date: '20240501100000', mime: 'text/html', status: 200, headers: [], ...head, body: read };
      return Promise.resolve({ response, match: 'exact' });
    },
    lacksBody: (url) => url.endsWith('bodiless'),
    alike: () => Promise.resolve(Object.keys(records).slice(0, 5)),
    close: () => Promise.resolve(),
  };
  return new Replay({ archive, name: 'site.wacz', match: 'fuzzy', at: undefined, signal, log: silentLogger, ...options });
}
