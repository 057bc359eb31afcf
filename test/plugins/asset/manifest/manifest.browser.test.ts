import { createHash } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { type CollectedAssets, definePlugin, isPlatenError, replayedArchive } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeParams } from '../../../../plugins/asset/manifest/src/describe-params.js';
import { importPlugin, listPlugins } from '../../../architecture/workspaces.js';
import { openSite, type Site } from '../../../helpers/site.js';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

const PAGE = `<title>Hi</title><h1>Hi</h1><p style="font-family: monospace">fixed</p><div id="host"></div><script>
  host.attachShadow({ mode: 'closed' }).innerHTML = '<i>shadow</i>';
</script>`;

/** Of a request with a secret; a file for each render that takes part as an archive does. */
const replaying = definePlugin({
  name: 'replaying',
  params: {
    door_code: { type: 'string', description: 'A secret.', 'x-secret': true },
    replays: { type: 'string', description: 'Digest of the archive.' },
    files: { type: 'object', additionalProperties: { type: 'string' }, description: 'Files, by name.' },
  },
  apply({ hooks }) {
    hooks.beforeOpen.tap({ name: 'replaying', for: { param: 'replays' } }, (context) => {
      if (context.params.replays !== undefined) context.set(replayedArchive, { sha256: context.params.replays });
    });
  },
});

let host: TestKernel;
let site: Site;

beforeAll(async () => {
  host = createTestKernel({ plugins: [...(await Promise.all(listPlugins().map(importPlugin))), replaying] });
  site = await openSite({ '/': PAGE, '/linked': '<a href="/">first</a>' });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface File {
  readonly name?: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
}

interface Manifest {
  readonly time: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly versions: Readonly<Record<string, unknown>> & { readonly plugins: Readonly<Record<string, string>> };
  readonly fonts: readonly { readonly family: string; readonly name: string; readonly source: string }[];
  readonly egress: readonly { readonly host: string; readonly address: string; readonly sent: number; readonly received: number }[];
  readonly archive?: { readonly sha256: string };
  readonly output: File | null;
  readonly assets: readonly File[];
}

async function readManifest({ kept }: CollectedAssets): Promise<Manifest> {
  const asset = kept.find(({ name }) => name === 'manifest');
  if (asset === undefined) throw new Error('there is no manifest');
  expect(asset).toMatchObject({ contentType: 'application/json', extension: 'manifest.json' });
  return (await json(asset.open())) as Manifest;
}

async function render(params: Readonly<Record<string, unknown>>) {
  const result = await host.render({ url: site.url('/'), with_manifest: true, ...params });
  const bytes = await result.bytes();
  expect(result.assets.missing).toEqual([]);
  return { ...result, bytes, manifest: await readManifest(result.assets) };
}

describe('a manifest', () => {
  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['png', {}],
    ['html', {}],
    ['har', {}],
    ['pdf, a stream', { output_type: 'pdf' }],
    ['gif, a recording', { output_type: 'gif', image_duration: 0.2 }],
    ['jsonl, a crawl', { output_type: 'jsonl', url: '/linked', crawl_links: true }],
    ['wacz, a crawl', { output_type: 'wacz', url: '/linked', crawl_links: true }],
  ])('has the digests of the output and of the assets: %s', async (name, { url = '/', ...params }) => {
    const further = name === 'png' ? { with_output: ['markdown', 'pdf'], with_har: true } : {};
    const { bytes, output, assets, manifest } = await render({ output_type: name, ...further, ...params, url: site.url(String(url)) });
    expect(manifest.output).toEqual({ type: output.contentType, size: bytes.length, sha256: sha256(bytes) });
    const others = assets.kept.filter((asset) => asset.name !== 'manifest');
    expect(manifest.assets).toEqual(
      others.map((asset) => ({ name: asset.name, type: asset.contentType, size: asset.bytes, sha256: asset.sha256 })),
    );
    expect(others.map((asset) => asset.name).sort()).toEqual(name === 'png' ? ['har', 'markdown', 'pdf'] : []);
    expect(manifest.egress).toMatchObject([{ host: '127.0.0.1', address: '127.0.0.1' }]);
    expect(manifest.fonts.length).toBeGreaterThan(0);
  });

  it('names versions, connections with their bytes, and the fonts that draw text, also in closed shadow trees', async () => {
    const { manifest } = await render({ output_type: 'png' });
    expect(manifest.versions).toMatchObject({ platen: host.kernel.version, node: process.versions.node, platform: process.platform });
    expect(manifest.versions['browser']).toMatch(/Chrome\/\d+/);
    expect(manifest.versions.plugins).toMatchObject({ png: '0.0.0', manifest: '0.0.0' });
    expect(manifest.egress[0]?.sent).toBeGreaterThan(100);
    expect(manifest.egress[0]?.received).toBeGreaterThan(PAGE.length);
    expect(manifest.fonts.every(({ source }) => source === 'system')).toBe(true);
    expect(manifest.fonts.some(({ name }) => /Mono/i.test(name))).toBe(true);
    expect(manifest.fonts.some(({ name }) => /Bold/i.test(name))).toBe(true);
    expect(manifest.fonts.some(({ name }) => /Italic|Oblique/i.test(name))).toBe(true);
    expect(Date.parse(manifest.time)).toBeLessThanOrEqual(Date.now());
    expect(manifest).not.toHaveProperty('archive');
  });

  it('has the parameters as they hold, without secrets; long ones are digests, of files those of their content', async () => {
    const css = `/* ${'x'.repeat(3000)} */`;
    const file = Buffer.alloc(3000, 'x');
    const given = {
      files: { 'a.bin': `data:application/octet-stream;base64,${file.toString('base64')}` },
      ...{ door_code: 'swordfish', css, image_width: 300, url: site.url('/?code=swordfish').replace('//', '//user:pass@') },
      ...{ cookie: ['session=8f14e45f; Path=/'], header: ['Authorization: Bearer abc', 'X-Door: swordfish'], replays: 'ab12' },
    };
    const { manifest } = await render(given);
    expect(manifest.parameters).toEqual({
      ...{ url: site.url('/?code=***'), output_type: 'png', with_manifest: true, image_width: 300, replays: 'ab12' },
      ...{ door_code: '***', cookie: ['session=***; Path=/'], header: ['Authorization: ***', 'X-Door: ***'] },
      css: { bytes: css.length, sha256: sha256(css) },
      files: { 'a.bin': { bytes: file.length, sha256: sha256(file) } },
    });
    expect(manifest.archive).toEqual({ sha256: 'ab12' });
  });

  it('has steps without what they type', async () => {
    const press = { press: 'Tab' };
    const credential = { fill: '#code', value: { credential: 'code' } };
    const typed = [
      press,
      { fill: '#code', value: 'swordfish' },
      { type: 'swordfish' },
      { dialog: 'accept', text: 'swordfish' },
      credential,
    ];
    const plan = host.kernel.plan({ url: site.url('/'), steps: typed, navigator_credential: { code: 'open sesame' } });
    const { steps } = describeParams(plan, [], { value: (value) => value });
    expect(steps).toEqual([press, { fill: '#code', value: '***' }, { type: '***' }, { dialog: 'accept', text: '***' }, credential]);
  });

  it('of a failed render has no output', async () => {
    const error: unknown = await render({ image_selector: '#none' }).catch((thrown: unknown) => thrown);
    if (!isPlatenError(error) || error.assets === undefined) throw new Error('there is no failure', { cause: error });
    expect(await readManifest(error.assets)).toMatchObject({ output: null, parameters: { image_selector: '#none' } });
  });

  it('the output is the same as without it', async () => {
    const without = await (await host.render({ url: site.url('/'), output_type: 'html' })).bytes();
    expect((await render({ output_type: 'html' })).bytes).toEqual(without);
  });
});
