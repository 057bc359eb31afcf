import { text } from 'node:stream/consumers';
import { harFromMessages } from 'chrome-har';
import type { Entry } from 'har-format';
import { afterAll, expect, it } from 'vitest';
import { ACTED, acting, openHarProber, readHar, type OwnEntry } from '../../capture/network/har-prober.js';
import { openTrafficSite } from '../../capture/network/traffic-site.js';

const prober = openHarProber();
afterAll(() => prober[Symbol.asyncDispose]());

/** One render's HAR, and the one that chrome-har makes of the events of the same render. */
async function renderBoth(url: string) {
  const { assets, bytes } = await prober.host.render({ url, output_type: 'har', with_network_log: true, ...ACTED });
  const ours = await readHar((await bytes()).toString());
  const [asset] = assets.kept;
  if (!asset) throw new Error('there is no network log');
  const events = (await text(asset.open()))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly method: string; readonly params: object });
  return { ours: ours.log.entries as readonly OwnEntry[], theirs: harFromMessages(events).log.entries };
}

/** Chromium rounds to microseconds; chrome-har to milliseconds' thousandths in other places. */
const TOLERANCE_MS = 1;

/** What both tell in the same words; of redirects chrome-har does not know the cookies. */
const wordsOf = ({ request, response, connection }: Entry) => ({
  method: request.method,
  url: request.url,
  queryString: request.queryString,
  posted: request.postData?.mimeType,
  status: response.status,
  redirectURL: new URL(response.redirectURL, request.url).href,
  size: response.content.size,
  connection,
});

const PARTS = ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'] as const;

it('has the same entries as chrome-har makes of the same events, with the same times', async () => {
  await using site = await openTrafficSite({
    '/': acting(
      // Each is read to its end: how one ends that nobody reads, the two would see at different times.
      `const read = async (...request) => (await fetch(...request)).text();
       await read('/first?a=1&b=%20x'); await read('/gzip'); await read('/nothing'); await read('/binary');
       await read('/posted', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' });
       await read('/missing'); await read('/brotli')`,
      '<title>All</title><img src="/binary?img"><script src="/json?script" type="text/plain"></script>',
    ),
  });
  const { ours, theirs } = await renderBoth(site.url('/'));
  const byStart = (a: Entry, b: Entry) => a.startedDateTime.localeCompare(b.startedDateTime);
  const [mine, others] = [[...ours].sort(byStart), [...theirs].sort(byStart)];
  expect(mine.map(wordsOf)).toEqual(others.map(wordsOf));
  for (const [index, entry] of mine.entries()) {
    const other = others[index];
    if (other === undefined) throw new Error('there is one entry too many');
    expect(Math.abs(Date.parse(entry.startedDateTime) - Date.parse(other.startedDateTime)), entry.request.url).toBeLessThanOrEqual(
      TOLERANCE_MS,
    );
    // A redirect ends, as in DevTools' own export, where the next request begins; for chrome-har at once.
    const isRedirect = entry.response.redirectURL !== '';
    for (const part of PARTS.filter((one) => !(isRedirect && one === 'receive'))) {
      const [own, theirPart] = [entry.timings[part] ?? -1, other.timings[part] ?? -1];
      const told = `${part} of ${entry.request.url}: ${String(own)}, ${String(theirPart)}`;
      expect(Math.abs(own - theirPart), told).toBeLessThanOrEqual(TOLERANCE_MS);
    }
    if (!isRedirect) expect(Math.abs(entry.time - other.time), `time of ${entry.request.url}`).toBeLessThanOrEqual(TOLERANCE_MS);
  }
});
