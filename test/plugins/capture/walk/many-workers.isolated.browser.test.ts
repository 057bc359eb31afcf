import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { openWalkProber } from './walk-prober.js';

it('many workers, waiting and loading, are no leak to Node.js', async () => {
  await using prober = openWalkProber({ 'browser-concurrency': 12 });
  const paths = Array.from({ length: 12 }, (_none, at) => `/p${String(at)}`);
  const gate = new EventEmitter();
  const opened = once(gate, 'open');
  let arrived = 0;
  const wait = async () => {
    arrived += 1;
    // As many connections as Chromium opens to a host.
    if (arrived === 6) gate.emit('open');
    await opened;
    return 'page';
  };
  await using site = await openSite({
    '/': paths.map((path) => `<a href="${path}">x</a>`).join(''),
    ...Object.fromEntries(paths.map((path) => [path, wait])),
  });
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const { summary } = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_concurrency: 256 });
  process.off('warning', note);
  expect(summary.done).toBe(paths.length + 1);
  expect(warnings).toEqual([]);
});
