import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = (path: string) => new URL(`../../${path}`, import.meta.url).pathname;
const PAGE = 'data:text/html,<body style="background:blue">';

/** What README's steps 2 to 4 change. */
const RENAMED = [
  ['package.json', /@platen\/plugin-ppm/g, '@you/platen-plugin-pix'],
  ['package.json', /"name": "ppm"/g, '"name": "pix"'],
  ['package.json', /"outputs": \[\s*"ppm"\s*\]/g, '"outputs": ["pix"]'],
  ['package.json', /ppm_plain/g, 'pix_plain'],
  ['src/index.ts', /'ppm'/g, "'pix'"],
  ['src/index.ts', /ppm_plain/g, 'pix_plain'],
  ['src/index.ts', /extension: 'ppm'/g, "extension: 'pix'"],
  ['src/index.ts', /"ppm"/g, '"pix"'],
  ['test/ppm.test.ts', /'ppm'/g, "'pix'"],
  ['test/ppm.test.ts', /ppm_plain/g, 'pix_plain'],
  ['test/ppm.test.ts', /"ppm"/g, '"pix"'],
] as const;

let folder: string;
let copy: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  copy = join(folder, 'my-plugin');
  await cp(root('plugin-template'), copy, { recursive: true, filter: (path) => !/\/(?:dist|node_modules)$/.test(path) });
  for (const [file, from, to] of RENAMED) {
    const text = await readFile(join(copy, file), 'utf8');
    await writeFile(join(copy, file), text.replace(from, to));
  }
  await symlink(root('node_modules'), join(copy, 'node_modules'));
  await run('npx', ['tsc', '-p', '.'], { cwd: copy });
});
afterAll(() => rm(folder, { recursive: true }));

const platen = (args: readonly string[], cwd: string) => run(process.execPath, [root('server/dist/cli.js'), ...args], { cwd });
const header = async (file: string) => (await readFile(file)).subarray(0, 2).toString();

describe('a copy of the template, outside of the repository, with three names changed', () => {
  it('passes its own tests', async () => {
    const { stdout } = await run('npx', ['vitest', 'run', '--root', '.', '--reporter', 'json'], { cwd: copy });
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({ numPassedTests: 9, numTotalTests: 9 });
  });

  it('is named by its path and renders', async () => {
    await platen(['--plugin', './my-plugin', PAGE, 'page.pix', '--pix-plain', '--image-width', '32'], folder);
    expect(await header(join(folder, 'page.pix'))).toBe('P3');
  });

  it('is installed as a dependency, found by itself and renders', async () => {
    const operator = join(folder, 'operator');
    await mkdir(operator);
    await writeFile(join(operator, 'package.json'), '{"name": "operator", "private": true}');
    await run('npm', ['install', '--offline', '--legacy-peer-deps', '--no-audit', '--no-fund', '../my-plugin'], { cwd: operator });
    await platen([PAGE, 'page.pix', '--image-width', '32'], operator);
    expect(await header(join(operator, 'page.pix'))).toBe('P6');
  });

  it('is unknown elsewhere', async () => {
    await expect(platen([PAGE, 'page.pix'], folder)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('pix') as unknown });
  });
});
