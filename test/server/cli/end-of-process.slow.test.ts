import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLI, runCli } from '../../helpers/run-cli.js';

/** More than a pipe holds. */
const BYTES = 4_000_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function writePlugin(members: string, imports = ''): Promise<void> {
  const at = join(folder, 'node_modules/lasting');
  await mkdir(at, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: { lasting: '*' } }));
  await writeFile(join(at, 'index.mjs'), `${imports} export default { name: 'lasting', ${members} };`);
  const platen = { name: 'lasting', kernel: '*' };
  await writeFile(join(at, 'package.json'), JSON.stringify({ name: 'lasting', version: '1.0.0', main: 'index.mjs', platen }));
}

describe('the process', () => {
  it.each([
    ['a capture', ['data:text/html,<h1>hello</h1>', '-'], 0],
    ['a capture that failed', ['http://127.0.0.1:1/', '-'], 3],
  ] as const)('ends with the code of %s though a plugin leaves a timer', async (_what, args, code) => {
    await writePlugin('apply() { setInterval(() => undefined, 60_000); }');
    const ended = await runCli([...args, '--plugins', 'lasting,png'], { cwd: folder });
    expect(ended.code, ended.stderr).toBe(code);
    expect(ended.stdout.subarray(1, 4).toString()).toBe(code === 0 ? 'PNG' : '');
  });

  it('ends though a plugin waits for a file that does not answer', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const run = `async run(args, io) { readFile(${JSON.stringify(pipe)}, () => undefined); io.stdout.write('done'); return 0; }`;
    await writePlugin(`commands: [{ name: 'read', usage: '', description: 'Reads.', ${run} }]`, "import { readFile } from 'node:fs';");
    const { stdout } = await runCli(['read'], { cwd: folder });
    expect(stdout.toString()).toBe('done');
  });

  it('ends when all that was written has left', async () => {
    const run = `async run(args, io) { setInterval(() => undefined, 60_000); io.stdout.write('x'.repeat(${String(BYTES)})); return 7; }`;
    await writePlugin(`commands: [{ name: 'talk', usage: '', description: 'Talks.', ${run} }]`);
    const { code, stdout } = await runCli(['talk'], { cwd: folder });
    expect([code, stdout.length]).toEqual([7, BYTES]);
  });

  it('waits for a plugin that is not ready, says for which, and can be told to stop', async () => {
    await writePlugin('prepare: () => new Promise(() => undefined)');
    const child = spawn(process.execPath, [CLI, 'data:,', '-', '--plugins', 'lasting,png'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(child, 'exit');
    child.stderr.once('data', () => child.kill());
    expect(await text(child.stderr)).toBe('platen: plugins are still being prepared: lasting\n');
    expect(await exited).toEqual([143, null]);
  });
});
