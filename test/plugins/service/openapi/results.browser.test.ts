import { NO_ASSETS } from '@platen/kernel';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { render, usePlayground } from './open-playground.js';

const MARKDOWN = `# Title

Some **bold**, \`code\` and a [link](https://example.com/), not [this](javascript:alert(1)).
<img src="https://other.test/x.png" onerror="document.title='ran'"><script>document.title='ran'</script>

![Picture](https://other.test/y.png)

| a | b |
| - | - |
| 1 | 2 |

1. one
   - nested
`;
const entry = (path: string, startedDateTime: string, time: number, status = 200) => ({
  ...{ startedDateTime, time },
  request: { method: 'GET', url: `https://example.com/${path}` },
  response: { status, bodySize: 1500, content: { size: 1500 } },
});
const BODIES: Readonly<Record<string, string>> = {
  markdown: MARKDOWN,
  har: JSON.stringify({
    log: { entries: [entry('first.html', '2026-01-01T00:00:00.000Z', 100), entry('late.js', '2026-01-01T00:00:00.300Z', 100, 404)] },
  }),
  wacz: 'not a zip file',
  warc: 'not gzip either',
  jsonl: '{"url":"https://example.com/1","title":"One","markdown":"# One\\nText"}\n{"url":"https://example.com/2","title":"Two"}\n',
};

const { playground } = usePlayground({
  render: ({ output: { contentType, extension, type } }) =>
    Promise.resolve({
      output: { contentType, extension, body: Buffer.from(BODIES[type] ?? '') },
      ...{ assets: NO_ASSETS, headers: {}, timings: {} },
    }),
});

async function show(
  type: string,
): Promise<{ readonly page: Page; readonly complaints: readonly string[]; readonly asked: readonly string[] }> {
  const { page, complaints } = await playground(`#url=http://a.test/&output_type=${type}`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).host));
  expect(await render(page)).toBe('done');
  return { page, complaints, asked };
}

it('Markdown is rendered without its HTML, its scripts or a request to another server, and is there as source', async () => {
  const { page, complaints, asked } = await show('markdown');
  const prose = page.getByRole('region', { name: 'Markdown' });
  expect(await prose.locator('.level-1').textContent()).toBe('Title');
  expect(await prose.locator('strong').textContent()).toBe('bold');
  expect(await prose.locator('td').allTextContents()).toEqual(['1', '2']);
  expect(await prose.locator('ol ul li').textContent()).toBe('nested');
  expect(await prose.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    'https://example.com/',
    'https://other.test/y.png',
  ]);
  expect(await prose.locator('img, script').count()).toBe(0);
  expect(await prose.textContent()).toContain('<script>');
  expect(await page.title()).toBe('Platen playground');
  expect([...new Set(asked)]).toEqual([new URL(page.url()).host]);
  expect(complaints).toEqual([]);
  await page.getByRole('tab', { name: 'Source' }).click();
  expect(await page.getByRole('region', { name: 'Source' }).textContent()).toBe(MARKDOWN);
});

it('a HAR is a waterfall, in which a later request is further right', async () => {
  const { page } = await show('har');
  const region = page.getByRole('region', { name: 'Waterfall' });
  expect(await region.locator('p').textContent()).toBe('2 requests · 3.0 kB · 400 ms');
  const [first, late] = await region.locator('.bar i').evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().toJSON()));
  expect(late.left).toBeGreaterThan(first.right);
  expect(late.width).toBeCloseTo(first.width, 0);
  expect(await region.locator('.chip.bad').textContent()).toBe('404');
  await region.getByText('GET late.js').click();
  await region.getByText('https://example.com/late.js', { exact: true }).waitFor();
});

it.each(['wacz', 'warc'])('a damaged %s is offered as a file', async (type) => {
  const { page, complaints } = await show(type);
  await page.getByText(/This browser cannot show|Pages \(0\)/).waitFor();
  expect(complaints).toEqual([]);
});

it('lines of JSON are named by title and URL, and their texts are read as lines', async () => {
  const { page } = await show('jsonl');
  const tree = page.getByRole('region', { name: 'JSON' });
  await tree.getByText('One · https://example.com/1').click();
  await tree.getByText('# One…').click();
  expect(await tree.locator('pre').textContent()).toBe('# One\nText');
});
