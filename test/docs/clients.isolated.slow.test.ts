import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/workspaces.js';
import { startServer, type RunningServer } from '../helpers/run-cli.js';
import { openSite, type Site } from '../helpers/site.js';

const run = promisify(execFile);
const TEXT = await readFile(join(ROOT, 'server/docs/api/clients.md'), 'utf8');
const TYPESCRIPT = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];

let folder: string;
let site: Site;
let open: RunningServer;
let guarded: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  site = await openSite({ '/': '<!doctype html><title>Hello</title><h1>Hello</h1><div style="height: 2000px">' });
  const flags = ['--server-token-auth', 'TOKEN', '--server-signed-url', 'SECRET', '--server-enable-jobs', join(folder, 'jobs')];
  [open, guarded] = await Promise.all([startServer(), startServer(flags)]);
});
afterAll(async () => {
  for (const each of [open, guarded, site]) await each[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** The example in a language, for the servers of this test. */
function read(language: string, server: RunningServer): string {
  const [, code = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(TEXT) ?? [];
  expect(code).not.toBe('');
  return code.replaceAll('http://127.0.0.1:3000', server.url).replaceAll('https://example.com/', site.url('/'));
}

/** Where a program is missing, its example is not run, which is said aloud. */
async function has(program: string, ...args: readonly string[]): Promise<boolean> {
  const found = await run(program, args).then(
    () => true,
    () => false,
  );
  if (!found) console.warn(`SKIPPED: THE EXAMPLE OF CLIENTS.MD WAS NOT RUN: ${[program, ...args].join(' ')} FAILS`);
  return found;
}

describe('the examples of clients.md', () => {
  it('TypeScript: its types are right; it renders, waits for a job, renders a batch and signs', async () => {
    const code = [
      `const url = ${JSON.stringify(site.url('/'))};`,
      `const requests = [{ url, output_type: 'txt' as const }, { url, output_type: 'html' as const }];`,
      read('ts', guarded),
      `const rendered = await result;`,
      `console.log(JSON.stringify([contentType, assets().length, rendered.contentType, typeof cancel, (await fetch(link)).status, PlatenError.name, body !== null]));`,
    ].join('\n');
    await writeFile(join(folder, 'client.mts'), code);
    await run(join(ROOT, 'node_modules/.bin/tsc'), [...TYPESCRIPT, 'client.mts'], { cwd: folder });
    await writeFile(join(folder, 'client.mjs'), code.replaceAll(' as const', ''));
    const { stdout } = await run(process.execPath, ['client.mjs'], { cwd: folder });
    const lines = stdout.trim().split('\n');
    expect(lines).toEqual(expect.arrayContaining(['0 undefined', '1 undefined']));
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual(['application/pdf', 1, 'application/wacz', 'function', 200, 'PlatenError', true]);
  });

  it('Python: prints the page, and the error', async () => {
    if (!(await has('python3', '-c', 'import requests'))) return;
    const code = read('python', open);
    expect((await run('python3', ['-c', code])).stdout).toBe('# Hello\n\n');
    const wrong = run('python3', ['-c', code.replace('"markdown"', '"papyrus"')]);
    await expect(wrong).rejects.toThrow(/RuntimeError: .*output_type/);
  });

  it('PHP: writes the picture, and throws the error', async () => {
    if (!(await has('php', '--version'))) return;
    const code = read('php', open);
    await run('php', ['-r', code], { cwd: folder });
    expect(await sharp(join(folder, 'page.png')).metadata()).toMatchObject({ format: 'png', width: 1280, height: 720 });
    const wrong = run('php', ['-r', code.replace("'png'", "'papyrus'")], { cwd: folder });
    await expect(wrong).rejects.toThrow(/RuntimeException: .*output_type/);
  });

  it('Go: writes the picture, and returns the error', async () => {
    if (!(await has('go', 'version'))) return;
    const frame = (code: string) => `package main
import ("fmt"; "io"; "net/http"; "net/url"; "os")
func render() error {
${code}
}
func main() {
	if err := render(); err != nil {
		fmt.Print(err)
	}
}`;
    const environment = { cwd: folder, env: { ...process.env, GOCACHE: join(folder, 'go'), GOFLAGS: '-mod=mod', GO111MODULE: 'off' } };
    const code = read('go', open);
    await writeFile(join(folder, 'client.go'), frame(code));
    expect((await run('go', ['run', 'client.go'], environment)).stdout).toBe('');
    expect(await sharp(join(folder, 'page.png')).metadata()).toMatchObject({
      format: 'png',
      height: expect.toSatisfy((height: number) => height > 2000),
    });
    await writeFile(join(folder, 'client.go'), frame(code.replace('"full_page"', '"fullpage"')));
    expect((await run('go', ['run', 'client.go'], environment)).stdout).toContain('did you mean \\"full_page\\"');
  });
});
