import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../../helpers/run-cli.js';
import { openSlowSite, type SlowSite } from './slow-site.js';
import { GENERATIONS, useMcp } from './open-mcp.js';

const { connect } = useMcp();

let site: SlowSite;
let server: RunningServer;

beforeAll(async () => {
  site = await openSlowSite();
  server = await startServer(['--server-enable-mcp']);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe.each(GENERATIONS)('a real server, for a client of %s', (generation) => {
  it('shows, reads and prints a page', async () => {
    const client = await connect(generation, server.url);
    const url = site.url('/');
    const [shot, text, pdf] = await Promise.all([
      client.call('screenshot', { url, format: 'jpeg', browser_width: 300 }),
      client.call('read_page', { url }),
      client.call('pdf', { url }),
    ]);
    expect(shot.content[1]).toMatchObject({ type: 'image', mimeType: 'image/jpeg', data: expect.stringMatching(/^\/9j\//) });
    expect(text.content[1].text).toMatch(/<(untrusted-\w+)>\n# Hello\n*<\/\1>$/);
    const { contents } = await client.read(pdf.facts.resource.uri);
    expect(Buffer.from(contents[0].blob, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('archives a site, with its pages as progress', async () => {
    const client = await connect(generation, server.url);
    const messages: (string | undefined)[] = [];
    const { facts } = await client.call(
      'crawl',
      { url: site.url('/linked') },
      { onprogress: ({ message }) => void messages.push(message) },
    );
    expect(facts).toMatchObject({ output_type: 'wacz', resource: { name: 'output', content_type: 'application/wacz' } });
    expect(messages.join()).toMatch(/\d pages done, \d queued, 0 failed/);
  });
});
