import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listWorkspaces, readManifest, ROOT } from './architecture/workspaces.js';
import { openCopy } from './plugin-template/open-copy.js';

const run = promisify(execFile);
const PAGE = 'data:text/html,<body style="background:blue"><h1>Hello';
const { version } = readManifest('package');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

let folder: string;
let tarball: string;
/** An empty folder, in which the package and a packed copy of the template were installed. */
let operator: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const { stdout } = await run('npm', ['run', 'pack', '--silent', '--', '--out', folder], { cwd: ROOT });
  tarball = stdout.trim().split('\n').at(-1) ?? '';
  const copy = await openCopy(folder);
  await run('npm', ['pack', '--pack-destination', folder], { cwd: copy });
  operator = join(folder, 'operator');
  await mkdir(operator);
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...quiet, tarball, join(folder, 'you-platen-plugin-pix-0.1.0.tgz')], { cwd: operator });
}, 600_000);
afterAll(() => rm(folder, { recursive: true }));

const platen = (args: readonly string[], cwd = operator) => run(join(operator, 'node_modules/.bin/platen'), args, { cwd });
const read = async (...path: readonly string[]) => await readFile(join(operator, ...path));
const startOf = async (...path: readonly string[]) => (await read(...path)).subarray(0, 4).toString('latin1');

describe('npm run pack', () => {
  it('packs the program, all plugins, types, the documentation and the licenses of what is bundled', async () => {
    expect(tarball).toBe(join(folder, `platen-${version}.tgz`));
    const files = (await run('tar', ['-tzf', tarball], { maxBuffer: 64 * 1024 * 1024 })).stdout.split('\n');
    const manifests = listWorkspaces()
      .filter((workspace) => workspace.startsWith('plugins/'))
      .flatMap((workspace) => {
        const { platen } = readManifest(workspace);
        const names = platen?.plugins?.map(({ name }) => name) ?? (platen?.name === undefined ? [] : [basename(workspace)]);
        return names.map((name) => `package/dist/modules/${dirname(workspace)}/${name}/package.json`);
      });
    expect(manifests.length).toBeGreaterThan(50);
    const wanted = ['LICENSE', 'LICENSES.txt', 'README.md', 'bin/platen.mjs', 'types/package/kernel.d.ts', 'deploy/platen.service'];
    expect(files).toEqual(expect.arrayContaining([...wanted.map((file) => `package/${file}`), ...manifests]));
    expect(files).toContainEqual(expect.stringMatching(/^package\/dist\/modules\/files\/guide\/reference\/parameters\.html$/));
    expect(files.filter((file) => /\.tsbuildinfo$|\.map$|\.ts$/.test(file) && !file.endsWith('.d.ts'))).toEqual([]);
    expect(String(await read('node_modules/platen/LICENSES.txt'))).toContain('puppeteer-core');
    const { stdout: template } = await run('tar', ['-tzf', join(operator, 'node_modules/platen/plugin-template.tgz')]);
    expect(template.split('\n').filter((file) => file.endsWith('.ts'))).toHaveLength(3);
    expect(template).not.toMatch(/dist|node_modules/);
  });

  it('has a README and pages whose links lead to files of the package', async () => {
    const installed = join(operator, 'node_modules/platen');
    const guide = 'dist/modules/files/guide';
    const pages = (await readdir(join(installed, guide), { recursive: true })).filter((file) => file.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(80);
    const links = await Promise.all(
      ['README.md', ...pages.map((page) => join(guide, page))].map(async (page) => {
        const text = (await read('node_modules/platen', page)).toString().replaceAll(/^```[^]*?^```/gm, '');
        return [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, path = '']) => join(dirname(page), path));
      }),
    );
    expect(links[0]).toContain(`${guide}/recipes.md`);
    expect(links.flat().filter((path) => !existsSync(join(installed, path)))).toEqual([]);
  });

  it.each([
    ['publint', ['node_modules/platen', '--strict']],
    ['attw', [() => tarball, '--profile', 'esm-only', '--no-color']],
  ])('%s finds no fault', async (name, args) => {
    const words = args.map((word) => (typeof word === 'string' ? word : word()));
    await run(join(ROOT, 'node_modules/.bin', name), words, { cwd: operator });
  });

  it('asks for nothing but packages that it imports at run time', async () => {
    const { dependencies, bin } = JSON.parse(String(await read('node_modules/platen/package.json')));
    expect(Object.keys(dependencies)).toEqual(['@duckduckgo/autoconsent', '@jsquash/jxl', 'classic-level', 'sharp']);
    expect(bin).toEqual({ platen: './bin/platen.mjs' });
    const { packages } = JSON.parse(String(await read('package-lock.json')));
    expect(Object.keys(packages)).not.toContain('node_modules/puppeteer');
  });
});

describe('platen, installed into an empty folder', () => {
  it.each([
    ['page.png', '\x89PNG'],
    ['page.pdf', '%PDF'],
    ['page.webp', 'RIFF'],
    ['page.md', '# He'],
    ['page.har', '{"lo'],
    ['page.warc.gz', '\x1f\x8b\x08\x00'],
  ])('renders %s', async (file, start) => {
    await platen([PAGE, file]);
    expect(await startOf(file)).toBe(start);
  });

  it('renders by a plugin that is installed beside it, with its one kernel', async () => {
    const { stderr } = await platen([PAGE, 'page.pix', '--image-width', '32']);
    expect([await startOf('page.pix'), stderr]).toEqual(['P6\n3', '']);
  });

  it('knows the plugins of the folder where it is called', async () => {
    await platen([PAGE, 'page.png'], folder);
    await expect(platen([PAGE, 'page.pix'], folder)).rejects.toMatchObject({ code: 2 });
  });

  it('says what the host has', async () => {
    const report = JSON.parse((await platen(['doctor', '--json'])).stdout);
    expect(report.ready).toBe(true);
    expect(report.outputs).toEqual(expect.arrayContaining([{ type: 'pix', state: 'ready', plugin: 'pix' }]));
  });

  it('answers an MCP client', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({ command: join(operator, 'node_modules/.bin/platen'), args: ['mcp'], stderr: 'ignore' }),
    );
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('screenshot');
    } finally {
      await client.close();
    }
  });

  it('gives programs and plugins its kernel, with types', async () => {
    await writeFile(
      join(operator, 'program.mts'),
      `import { definePlugin } from 'platen/kernel';
import { screenshot } from 'platen/captures';
import { decodeRaster } from 'platen/raster';
import { createTestKernel } from 'platen/testing';
const size = definePlugin({
  name: 'size',
  requires: ['screenshot'],
  outputs: [{ type: 'size', from: 'screenshot', contentType: 'text/plain', extension: 'txt' }],
  apply({ hooks }) {
    hooks.encode.for('size').tapPromise('size', async ({ data }) => {
      const { width, height } = await decodeRaster(data, {});
      return { body: Buffer.from(\`\${width * height}\`) };
    });
    hooks.beforeCapture.tapPromise({ name: 'size', for: { output: 'size' } }, async ({ page }) => {
      const { result } = await page.send('Runtime.evaluate', { expression: '1' });
      const kind: 'object' | string = result.type;
      void kind;
    });
  },
  serve({ hooks }) {
    hooks.finished.tap('size', (record) => {
      const status: number = record.status;
      void status;
    });
    hooks.routes.tap('size', (router) => {
      router.get('/size', (ctx) => {
        // @ts-expect-error -- an endpoint's context is no \`any\`
        ctx.nothing = ctx.params['name'];
      });
    });
  },
});
await using host = createTestKernel({ plugins: [screenshot, size] });
const rendered = await host.render({ url: 'data:text/html,x', output_type: 'size' });
console.log(String(await rendered.bytes()));
`,
    );
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,esnext.disposable,dom', '--types', 'node'];
    // The declarations too are checked: none imports what an installation lacks.
    await run(
      TSC,
      ['program.mts', ...options, '--skipLibCheck', 'false', '--typeRoots', join(ROOT, 'node_modules/@types'), '--outDir', 'built'],
      { cwd: operator },
    );
    const { stdout } = await run(process.execPath, [join(operator, 'built/program.mjs')], { cwd: operator });
    expect(stdout).toBe('921600\n');
  });

  it('tells programs its own plugins, and those of their folder', async () => {
    const code = `import { discoverPlugins } from 'platen/kernel';
const found = await discoverPlugins({ operatorDir: process.cwd() });
console.log(JSON.stringify(['png', 'pix'].map((wanted) => found.filter(({ name }) => name === wanted).map(({ isOwn }) => isOwn === true))));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: operator });
    expect(JSON.parse(stdout)).toEqual([[true], [false]]);
  });

  it('gives programs and pages its client, with types, in one file without imports', async () => {
    await writeFile(
      join(operator, 'caller.mts'),
      `import { createClient, PlatenError } from 'platen/client';
const client = createClient({ baseUrl: process.argv[2] ?? '' });
const { contentType } = await client.render({ url: 'data:text/html,x', output_type: 'pdf', pdf_scale: 1 });
// @ts-expect-error -- of a PDF
const failed = await client.render({ url: 'data:text/html,x', image_width: -1, pdf_scale: 1 }).catch((error: unknown) => error);
console.log(contentType, failed instanceof PlatenError ? failed.errors.map(({ parameter }) => parameter) : failed);
`,
    );
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--outDir', 'built'];
    await run(TSC, ['caller.mts', ...options, '--typeRoots', join(ROOT, 'node_modules/@types')], { cwd: operator });
    const server = spawn(join(operator, 'node_modules/.bin/platen'), ['--server', '--server-bind-port', '0'], { cwd: operator });
    try {
      const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
      const { stdout } = await run(process.execPath, [join(operator, 'built/caller.mjs'), JSON.parse(line).url]);
      expect(stdout).toBe("application/pdf [ 'image_width' ]\n");
    } finally {
      server.kill();
      await once(server, 'exit');
    }
    const { outputFiles } = await build({
      stdin: { contents: "import { createClient } from 'platen/client'; globalThis.client = createClient;", resolveDir: operator },
      ...{ bundle: true, platform: 'browser', format: 'esm', write: false },
    });
    expect(outputFiles[0]?.text).not.toMatch(/\bimport\b|\brequire\b|node:/);
  });
});

/** Runs the installed program by another Node, which npm's registry has as a package; undefined where it cannot be had. */
async function openNode(major: string): Promise<((args: readonly string[]) => Promise<{ stdout: string; stderr: string }>) | undefined> {
  const name = `node-${process.platform}-${process.arch}`;
  const home = join(folder, `node-${major}`);
  await mkdir(home);
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--prefix', home, `${name}@${major}`];
  const problem = await run('npm', install).then(
    () => undefined,
    (error: unknown) => String(error),
  );
  if (problem === undefined)
    return (args) =>
      run(join(home, 'node_modules', name, 'bin/node'), [join(operator, 'node_modules/platen/bin/platen.mjs'), ...args], { cwd: operator });
  console.warn(`SKIPPED: THE PACKAGE WAS NOT CHECKED ON NODE ${major}: ${problem}`);
  return undefined;
}

it.each(['20', '22', '24'].filter((major) => major !== process.versions.node.split('.')[0]))(
  'on Node %s the package renders, also by a plugin beside it with its one kernel',
  async (major) => {
    const call = await openNode(major);
    // Said aloud.
    if (call === undefined) return;
    const { findings } = JSON.parse((await call(['doctor', '--json'])).stdout);
    expect(findings).toContainEqual(
      expect.objectContaining({ id: 'host', facts: expect.objectContaining({ node: expect.stringMatching(`^${major}\\.`) }) }),
    );
    await call([PAGE, `${major}.png`]);
    const { stderr } = await call([PAGE, `${major}.pix`, '--image-width', '32']);
    expect([await startOf(`${major}.png`), await startOf(`${major}.pix`), stderr]).toEqual(['\x89PNG', 'P6\n3', '']);
  },
  600_000,
);
