import { randomBytes } from 'node:crypto';
import { createTestKernel } from '@platen/kernel/testing';
import { expect, it } from 'vitest';
import network from '../../../../plugins/capture/network/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import links from '../../../../plugins/walk/links/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { type ReadRecord, readRecords } from '../../lib/warc/archive-fixture.js';

const PAGES = 200;
/** Every so many pages have a link into each trap. */
const STEP = 20;
const TRAPS = ['shop', 'list', 'go', 'private', 'gone'] as const;
const MONTHS = 20;
/** All pages, all traps that they lead to, and some of the months, of which there is no last one. */
const MAX_LINKS = PAGES + TRAPS.length * (PAGES / STEP) + MONTHS;

const at = Array.from({ length: PAGES }, (_none, index) => index);
const isTrapping = (page: number): boolean => page % STEP === 0;
/** Text that hardly compresses, so that it counts in the archive. */
const filler = (): string => `<p>${randomBytes(6000).toString('base64')}</p>`;
const link = (path: string): string => `<a href="${path}">link</a>`;

/** A tree of pages. A trap has another URL on each of its pages. */
function pageOf(page: number): string {
  const below = [1, 2, 3, 4].map((one) => 4 * page + one).filter((one) => one < PAGES);
  const traps = [
    `/shop?sid=${String(page)}`,
    `/list;jsessionid=${String(page)}`,
    ...['go', 'private', 'gone'].map((one) => `/${one}/${String(page)}`),
  ];
  const all = [...below.map((one) => `/p/${String(one)}`), ...(isTrapping(page) ? traps : []), '/calendar?month=1'];
  return `<title>Page ${String(page)}</title>${all.map(link).join(' ')}${filler()}`;
}

function openTrapSite(): Promise<Site> {
  const [shop, list, login, nothing] = ['Shop', 'List', 'Login', 'Nothing here'].map((title) => `<title>${title}</title>${filler()}`);
  const redirect = (location: string) => ({ status: 302, headers: { location } });
  const trapping = at.filter(isTrapping);
  return openSite({
    ...Object.fromEntries(at.map((page) => [`/p/${String(page)}`, pageOf(page)])),
    ...Object.fromEntries(trapping.map((page) => [`/list;jsessionid=${String(page)}`, list ?? ''])),
    ...Object.fromEntries(trapping.map((page) => [`/go/${String(page)}`, redirect(`/p/${String((page / STEP) % 5)}`)])),
    ...Object.fromEntries(trapping.map((page) => [`/private/${String(page)}`, redirect('/login')])),
    // A soft 404: one body and status 200 for whatever there is not.
    ...Object.fromEntries(trapping.map((page) => [`/gone/${String(page)}`, nothing ?? ''])),
    '/shop': shop ?? '',
    '/login': login ?? '',
    '/calendar': ({ url = '' }) => {
      const month = Number(new URL(url, 'http://site').searchParams.get('month'));
      return `<title>Month ${String(month)}</title>${link(`/calendar?month=${String(month + 1)}`)}`;
    },
  });
}

interface Stored {
  readonly path: string;
  readonly record: ReadRecord;
}

async function crawlTraps(): Promise<{ readonly records: readonly Stored[]; readonly ending: string }> {
  await using site = await openTrapSite();
  await using host = createTestKernel({ plugins: [network, walk, links, warc] });
  const crawl = { crawl_links: true, crawl_delay: 0, crawl_concurrency: 4, crawl_max_links: MAX_LINKS };
  const { bytes } = await host.render({ url: site.url('/p/0'), output_type: 'warc', ...crawl });
  const records = await readRecords(await bytes());
  const pathOf = (record: ReadRecord) => (record.field('WARC-Target-URI') ?? '').replace(/^urn:pageinfo:/, '').replace(site.url(''), '');
  return { records: records.map((record) => ({ path: pathOf(record), record })), ending: records.at(-1)?.text ?? '' };
}

const sizeOf = (records: readonly Stored[]): number => records.reduce((sum, { record }) => sum + record.length, 0);

it('a site with traps is archived whole, and what the traps repeat takes a tenth of it at most', async () => {
  const { records, ending } = await crawlTraps();
  expect(ending).toContain('stop_reason: crawl_max_links\r\n');
  const stored = records.filter(({ record }) => record.type === 'response');
  const paths = stored.map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith('/p/')).sort()).toEqual(at.map((page) => `/p/${String(page)}`).sort());
  // No URL is stored twice, also not one that redirects lead to, and no body.
  expect(paths).toHaveLength(new Set(paths).size);
  const digests = stored
    .filter(({ record }) => record.firstLine?.includes(' 200 '))
    .map(({ record }) => record.field('WARC-Payload-Digest'));
  expect(digests).toHaveLength(new Set(digests).size);
  // Of each trap one page is stored. The others refer to it, as the page does that a redirect leads to again.
  const revisits = records.filter(({ record }) => record.type === 'revisit').map(({ path }) => path);
  const trapped = PAGES / STEP;
  expect(revisits.filter((path) => /^\/(?:shop|list|gone)/.test(path))).toHaveLength(3 * (trapped - 1));
  expect(revisits.filter((path) => path === '/login')).toHaveLength(trapped - 1);
  expect(revisits.filter((path) => path.startsWith('/p/'))).toHaveLength(trapped);
  const isPage = ({ path, record }: Stored) => path.startsWith('/p/') && record.type !== 'revisit';
  const isTrap = ({ path }: Stored) => /^\/(?:shop|list|go|private|gone|login)\b/.test(path);
  expect(sizeOf(records.filter(isTrap))).toBeLessThan(sizeOf(records.filter(isPage)) / 10);
}, 600_000);
