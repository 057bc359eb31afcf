import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, type RunningServer, startServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { GENERATIONS, useMcp } from '../../service/mcp/open-mcp.js';

const { connect } = useMcp();

const NAMES = ['console', 'evidence', 'requests'];
let folder: string;
let site: Site;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-evidence-'));
  site = await openSite({ '/': '<title>Page</title><h1>Hello</h1><script>console.log("said")</script>' });
  server = await startServer(['--server-enable-jobs', folder, '--server-enable-mcp']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface LinkedAsset {
  readonly name: string;
  readonly url: string;
  readonly content_type: string;
  readonly bytes: number;
}

const namesOf = (assets: readonly Pick<LinkedAsset, 'name'>[]) => assets.map(({ name }) => name).sort();
const request = (headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${server.url}/?${new URLSearchParams({ url: site.url('/'), image_selector: '#none', with_evidence: 'true' }).toString()}`, {
    headers,
  });

async function assertServed(assets: readonly LinkedAsset[]): Promise<void> {
  expect(namesOf(assets)).toEqual(NAMES);
  for (const { url, content_type, bytes } of assets) {
    const response = await fetch(new URL(url, server.url));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, content_type]);
    expect((await response.arrayBuffer()).byteLength).toBe(bytes);
  }
}

it('over HTTP the problem document lists the evidence, as the header does', async () => {
  const response = await request();
  const { code, assets } = (await response.json()) as { readonly code: string; readonly assets: readonly LinkedAsset[] };
  expect([response.status, code]).toEqual([422, 'selector_not_found']);
  await assertServed(assets);
  for (const { url } of assets) expect(response.headers.get('link')).toContain(`<${url}>`);
});

it('a failed job has it beside its problem', async () => {
  const created = await request({ prefer: 'respond-async' });
  const response = await fetch(server.url + (created.headers.get('location') ?? ''), { headers: { prefer: 'wait=60' } });
  const job = (await response.json()) as { readonly state: string; readonly assets: readonly LinkedAsset[] };
  expect(job).toMatchObject({ state: 'failed', problem: { code: 'selector_not_found' } });
  await assertServed(job.assets);
});

it('a failed tool call has it', async () => {
  const client = await connect(GENERATIONS[0], server.url);
  const { facts } = await client.call('render', { url: site.url('/'), image_selector: '#none', with_evidence: true });
  expect(facts).toMatchObject({ code: 'selector_not_found' });
  expect(namesOf((facts as unknown as { readonly assets: readonly LinkedAsset[] }).assets)).toEqual(NAMES);
});

it('the command line writes the files beside the output, and exits as before', async () => {
  const { code, stderr } = await runCli([site.url('/'), join(folder, 'page.png'), '--image-selector', '#none', '--with-evidence']);
  expect([code, stderr]).toEqual([3, expect.stringContaining('page.evidence.png')]);
  expect((await readdir(folder)).filter((name) => name.startsWith('page')).sort()).toEqual([
    ...['page.console.jsonl', 'page.evidence.png', 'page.requests.jsonl'],
  ]);
  expect(await readFile(join(folder, 'page.console.jsonl'), 'utf8')).toContain('"text":"said"');
});
