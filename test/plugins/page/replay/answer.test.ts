import { text } from 'node:stream/consumers';
import type { InterceptedRequest } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { answerRequest, openArchived } from '../../../../plugins/page/replay/src/answer.js';
import { type FakeRecord, replayOf } from './fake-archive.js';

const URL_ = 'https://a.test/file';

async function ask(record: FakeRecord | undefined, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const request = { url: new URL(URL_), method, headers: new Map(Object.entries(headers)), body: () => Promise.resolve(undefined) };
  const result = await answerRequest(request as InterceptedRequest, replayOf(record === undefined ? {} : { [URL_]: record }));
  if (result === undefined || 'fail' in result) return result;
  const { status, headers: fields, body } = result.fulfill;
  const named = Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]));
  return { status, body: String(body), headers: named };
}

describe('a range', () => {
  const whole: FakeRecord = { body: '0123456789', headers: [['Accept-Ranges', 'bytes']] };
  const part: FakeRecord = { status: 206, body: '456', headers: [['Content-Range', 'bytes 4-6/10']] };
  const all: FakeRecord = { status: 206, body: '0123456789', headers: [['content-range', 'bytes 0-9/10']] };
  it.each([
    ['of a whole record', whole, 'bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['without an end', whole, 'bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['of the last bytes', whole, 'bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['beyond the end', whole, 'bytes=10-', 416, '', 'bytes */10'],
    ['that is no range, which is ignored', whole, 'lines=1-2', 200, '0123456789', undefined],
    ['of a site that takes none', { body: '0123456789' }, 'bytes=2-4', 200, '0123456789', undefined],
    ['of a stored part', part, 'bytes=4-', 206, '456', 'bytes 4-6/10'],
    ['within a stored part', part, 'bytes=5-5', 206, '5', 'bytes 5-5/10'],
    ['before a stored part', part, 'bytes=0-', 416, '', 'bytes */10'],
    ['after a stored part', part, 'bytes=8-', 416, '', 'bytes */10'],
    ['of a whole record that was fetched as one', all, 'bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['not asked for, of such a record', all, '', 200, '0123456789', undefined],
    ['of an error', { status: 404, body: 'no' }, 'bytes=0-', 404, 'no', undefined],
  ])('%s', async (_, record, range, status, body, place) => {
    const answer = await ask(record, range === '' ? {} : { Range: range });
    expect(answer).toMatchObject({ status, body });
    expect(answer && 'headers' in answer ? answer.headers['content-range'] : '').toBe(place);
  });
});

it('fails like a host that is gone where the archive has nothing', async () => {
  expect(await ask(undefined)).toEqual({ fail: 'Failed' });
});

it('permits what a preflight asks for', async () => {
  const asked = { Origin: 'https://b.test', 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'x-a' };
  expect(await ask(undefined, asked, 'OPTIONS')).toMatchObject({
    status: 204,
    headers: {
      ...{ 'access-control-allow-origin': 'https://b.test', 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': 'x-a' },
    },
  });
  expect(await ask({ status: 403, body: 'no' }, asked, 'OPTIONS')).toMatchObject({ status: 403, body: 'no' });
  expect(await ask(undefined, {}, 'OPTIONS')).toEqual({ fail: 'Failed' });
});

it('lets a cookie last as long as it did', async () => {
  const cookie = (expires: string) => `a=b; Path=/; Expires=${expires}; Secure`;
  const date = '20200101000000';
  const answer = await ask({ date, headers: [['Set-Cookie', cookie('Thu, 02 Jan 2020 00:00:00 GMT')]] });
  const set = answer !== undefined && 'headers' in answer ? (answer.headers['set-cookie'] ?? '') : '';
  const left = Date.parse(/Expires=([^;]+)/.exec(set)?.[1] ?? '') - Date.now();
  expect(Math.abs(left - 86_400_000)).toBeLessThan(60_000);
  expect(set).toMatch(/^a=b; Path=\/; Expires=.* GMT; Secure$/);
  expect(await ask({ date, headers: [['Set-Cookie', cookie('never')]] })).toMatchObject({ headers: { 'set-cookie': cookie('never') } });
});

it('answers requests of the server itself', async () => {
  const replay = replayOf({ [URL_]: { body: 'hi', headers: [['Content-Type', 'text/plain']] } });
  const { body, ...head } = await openArchived(URL_, replay);
  expect(head).toMatchObject({ url: URL_, status: 200, remote: undefined, headers: { 'content-type': 'text/plain' } });
  expect(await text(body)).toBe('hi');
  await expect(openArchived('https://a.test/none', replay)).rejects.toThrow('https://a.test/none is not in the archive');
  expect(replay.summary).toBe('hits=1; misses=1');
});
