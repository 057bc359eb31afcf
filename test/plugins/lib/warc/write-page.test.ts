import { expect, it } from 'vitest';
import { writePage } from '../../../../plugins/lib/warc/src/write-page.js';
import { archive, bodyOf, exchangeOf, parseLine } from './archive-fixture.js';

const URL_OF_PAGE = 'https://example.com/';

interface Answer {
  readonly ms: number;
  readonly status?: number;
  readonly text: string;
  readonly type?: string;
}

function toExchange({ ms, status = 200, text, type = 'Document' }: Answer) {
  const response = { status, body: bodyOf(text) };
  return { ...exchangeOf({ url: URL_OF_PAGE, resourceType: type, response }), timing: { wallStart: new Date(Date.UTC(2026, 0, 2) + ms) } };
}

it.each<readonly [string, readonly Answer[], string]>([
  ['one answer', [{ ms: 1, text: 'PAGE' }], 'PAGE'],
  [
    'a wall that reloads',
    [
      { ms: 1, text: 'wall' },
      { ms: 1201, text: 'PAGE' },
    ],
    'PAGE',
  ],
  [
    'a wall that reloads at once',
    [
      { ms: 1, text: 'wall' },
      { ms: 301, text: 'PAGE' },
    ],
    'PAGE',
  ],
  [
    'a wall that reloads twice',
    [
      { ms: 1, text: 'wall' },
      { ms: 2, text: 'wall 2' },
      { ms: 3, text: 'PAGE' },
    ],
    'PAGE',
  ],
  [
    'a refusal that reloads',
    [
      { ms: 1, status: 403, text: 'wall' },
      { ms: 301, text: 'PAGE' },
    ],
    'PAGE',
  ],
  [
    'a refusal by another',
    [
      { ms: 1, status: 503, text: 'wall' },
      { ms: 301, status: 404, text: 'PAGE' },
    ],
    'PAGE',
  ],
  [
    'a refusal of the reload',
    [
      { ms: 1, text: 'PAGE' },
      { ms: 301, status: 429, text: 'refused' },
    ],
    'PAGE',
  ],
  [
    'what a script fetches',
    [
      { ms: 1, text: 'PAGE' },
      { ms: 301, text: '{}', type: 'Fetch' },
    ],
    'PAGE',
  ],
])('the time of a page leads to its last answer of the best status alone: %s', async (_what, answers, expected) => {
  let shown: Date | undefined;
  const { lines, records } = await archive(async (writer) => {
    const exchanges = async function* () {
      yield* await Promise.resolve(answers.map(toExchange));
    };
    const page = {
      url: URL_OF_PAGE,
      startedAt: new Date(0),
      title: '',
      depth: 0,
      status: 200,
      mimeType: 'text/html',
      loadState: 'complete',
    };
    shown = (await writePage(writer, { ...page, isPage: true, exchanges })).shown?.date;
  });
  const time = shown?.toISOString().replace(/\D/g, '').slice(0, 14);
  const found = lines.map(parseLine).filter((line) => line.time === time && line.fields['url'] === URL_OF_PAGE);
  expect(found.map(({ fields }) => records.find(({ offset }) => offset === Number(fields['offset']))?.text)).toEqual([expected]);
  expect(records.filter(({ type }) => type === 'response')).toHaveLength(answers.length);
  for (const record of records) if (record.text === expected) expect(record.field('WARC-Date')).toBe(shown?.toISOString());
});
