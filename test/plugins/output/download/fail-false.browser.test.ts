import { createTestKernel } from '@platen/kernel/testing';
import download from '@platen/plugin-download';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../../helpers/site.js';
import { BINARY, CSV, openDownloadSite } from './download-site.js';

const host = createTestKernel({ plugins: [download, wait] });
let site: Site;
beforeAll(async () => {
  site = await openDownloadSite();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const fetchFile = (path: string) => host.render({ url: site.url(path), output_type: 'download', fail: false });

describe('with "fail=false", where the target answers with an error status', () => {
  it.each([
    ['/gone', 'text/csv;header=present', 'gone.csv', Buffer.from(CSV)],
    ['/moved-gone', 'text/csv;header=present', 'gone.csv', Buffer.from(CSV)],
    ['/gone-program', 'application/octet-stream', 'gone-program', BINARY],
  ])('the file that it sends is the file: %s', async (path, contentType, filename, body) => {
    const { output, headers, bytes } = await fetchFile(path);
    expect(output).toMatchObject({ contentType, filename });
    expect((await bytes()).equals(body)).toBe(true);
    expect(headers).toMatchObject({ 'X-Target-Status': '404' });
  });

  it('it is asked once', async () => {
    const before = site.requests.length;
    await (await fetchFile('/gone')).bytes();
    expect(site.requests.slice(before).map(({ url }) => url)).toEqual(['/gone']);
  });

  it('a page of it may begin a download as any other', async () => {
    const { output, headers } = await fetchFile('/gone-begins');
    expect(output).toMatchObject({ contentType: 'text/csv;header=present', filename: 'Preise €.csv' });
    expect(headers).toMatchObject({ 'X-Target-Status': '404' });
  });

  it('nothing is said of a status where it is none of an error', async () => {
    const { headers } = await fetchFile('/attachment');
    expect(headers).not.toHaveProperty('X-Target-Status');
  });
});
