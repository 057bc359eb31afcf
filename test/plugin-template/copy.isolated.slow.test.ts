import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCopy } from './open-copy.js';

const run = promisify(execFile);
const root = (path: string) => new URL(`../../${path}`, import.meta.url).pathname;
const PAGE = 'data:text/html,<body style="background:blue">';

let folder: string;
let copy: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  copy = await openCopy(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const platen = (args: readonly string[], cwd: string) => run(process.execPath, [root('server/dist/cli.js'), ...args], { cwd });
const header = async (file: string) => (await readFile(file)).subarray(0, 2).toString();

describe('a copy of the template, outside of the repository, with its names changed', () => {
  it('passes its own tests', async () => {
    const { stdout } = await run('npx', ['vitest', 'run', '--root', '.', '--reporter', 'json'], { cwd: copy });
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({ numPassedTests: 11, numTotalTests: 11 });
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
