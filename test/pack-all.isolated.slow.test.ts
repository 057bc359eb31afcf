import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listWorkspaces, readManifest, ROOT, type Manifest } from './architecture/workspaces.js';
import { openCopy } from './plugin-template/open-copy.js';

const run = promisify(execFile);
const PAGE = 'data:text/html,<body style="background:blue">';

const published = listWorkspaces()
  .map((workspace) => ({ workspace, manifest: readManifest(workspace) }))
  .filter(({ manifest }) => manifest.private !== true);
const byName = new Map(published.map(({ manifest }) => [manifest.name, manifest]));
const tarballOf = ({ name, version }: Pick<Manifest, 'name' | 'version'>) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

let folder: string;
let tarballs: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  tarballs = join(folder, 'tarballs');
  await run('npm', ['run', 'pack:all', '--', '--out', tarballs], { cwd: ROOT });
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

describe('npm run pack:all', () => {
  it('packs every package that is not private', async () => {
    expect((await readdir(tarballs)).sort()).toEqual(published.map(({ manifest }) => tarballOf(manifest)).sort());
  });

  it.each(published)('packs of $workspace what it needs, and nothing else', async ({ manifest }) => {
    const tarball = join(tarballs, tarballOf(manifest));
    const files = (await run('tar', ['-tzf', tarball])).stdout
      .trim()
      .split('\n')
      .map((file) => file.replace('package/', './'));
    const packed: Manifest & { readonly bin?: Readonly<Record<string, string>> } = JSON.parse(
      (await run('tar', ['-xzOf', tarball, 'package/package.json'])).stdout,
    );
    const targets = Object.values(packed.exports ?? {}).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    expect(targets.length).toBeGreaterThan(0);
    expect(files).toEqual(expect.arrayContaining(['./LICENSE', './README.md', ...targets, ...Object.values(packed.bin ?? {})]));
    expect(files.filter((file) => /\.tsbuildinfo$|\.map$|\/(?:src|test|trim|setup)\//.test(file))).toEqual([]);
    expect(packed.devDependencies).toBeUndefined();
  });
});

/** The packages, and all of this repository that they depend on. */
function withDependencies(names: readonly string[], seen = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    const manifest = byName.get(name);
    if (manifest === undefined || seen.has(name)) continue;
    seen.add(name);
    withDependencies(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }), seen);
  }
  return seen;
}

describe('the command, the plugin png and a packed copy of the template, installed into an empty folder', () => {
  let operator: string;
  beforeAll(async () => {
    const copy = await openCopy(folder);
    await run('npm', ['pack', '--pack-destination', folder], { cwd: copy });
    const { peerDependencies = {} } = readManifest('plugin-template');
    const own = [...withDependencies(['@platen/server', '@platen/plugin-png', ...Object.keys(peerDependencies)])];
    const files = own.flatMap((name) => byName.get(name) ?? []).map((manifest) => join(tarballs, tarballOf(manifest)));
    operator = join(folder, 'operator');
    await mkdir(operator);
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...quiet, ...files, join(folder, 'you-platen-plugin-pix-0.1.0.tgz')], { cwd: operator });
  }, 300_000);

  const platen = (args: readonly string[], cwd = operator) => run(join(operator, 'node_modules/.bin/platen'), args, { cwd });
  const startOf = async (file: string) => (await readFile(file)).subarray(0, 4).toString('latin1');

  it('finds all plugins and renders with them', async () => {
    const { stderr } = await platen([PAGE, 'page.png']);
    expect([await startOf(join(operator, 'page.png')), stderr]).toEqual(['\x89PNG', '']);
    await platen([PAGE, 'page.pix', '--image-width', '32']);
    expect(await startOf(join(operator, 'page.pix'))).toBe('P6\n3');
  });

  it('finds its own plugins also where it is called elsewhere', async () => {
    await platen([PAGE, 'page.png'], folder);
    expect(await startOf(join(folder, 'page.png'))).toBe('\x89PNG');
    await expect(platen([PAGE, 'page.pix'], folder)).rejects.toMatchObject({ code: 2 });
  });

  it('says what the host has', async () => {
    const report: unknown = JSON.parse((await platen(['doctor', '--json'])).stdout);
    expect(report).toMatchObject({
      ready: true,
      outputs: [
        { type: 'pix', state: 'ready' },
        { type: 'png', state: 'ready' },
      ],
    });
  });

  it('brings no browser', async () => {
    const { packages } = JSON.parse(await readFile(join(operator, 'package-lock.json'), 'utf8'));
    expect(Object.keys(packages)).not.toContain('node_modules/puppeteer');
    expect(Object.values(packages)).not.toContainEqual(expect.objectContaining({ hasInstallScript: true }));
  });
});
