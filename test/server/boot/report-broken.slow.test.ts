import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startServer } from '../../helpers/run-cli.js';
import { writePlugin } from '../../kernel/write-plugin.js';

const PAGE = 'data:text/html,<h1>Hello</h1>';
const CAUSE = 'plugin "odd" (odd-package) cannot be loaded: Error: out of order';
const FIX = 'update or uninstall odd-package, or use --disable-plugins odd';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const platen = { name: 'odd', outputs: ['odd'], keys: ['odd_key'], flags: ['odd-flag'] };
  await writePlugin(join(cwd, 'node_modules/odd-package'), platen, 'throw new Error("out of order")');
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ dependencies: { 'odd-package': '1' } }));
});
afterAll(() => rm(cwd, { recursive: true }));

const run = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await runCli(args, { cwd });
  return { code, stdout: stdout.toString('latin1'), stderr };
};

describe('a plugin that was found and cannot be loaded', () => {
  it('is reported by a single capture, which renders', async () => {
    const { code, stdout, stderr } = await run(PAGE, '-');
    expect({ code, stderr }).toEqual({ code: 0, stderr: `platen: plugin "odd" (odd-package) is skipped: ${CAUSE}\n  ${FIX}\n` });
    expect(stdout).toContain('PNG');
  });

  it('is not reported where it is disabled', async () => {
    expect(await run(PAGE, '-', '--disable-plugins', 'odd')).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['--plugins', 'png,odd'],
    ['--plugin', 'odd-package'],
  ])('ends the start where it is named by %s', async (...flag) => {
    const { code, stderr } = await run(PAGE, '-', ...flag);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `platen: ${CAUSE}\n` });
  });

  it('is named where a flag, a key or an output type of it is asked for', async () => {
    for (const args of [
      ['--server', '--odd-flag', '1'],
      [PAGE, '-', '--odd-key', '1'],
      [PAGE, 'page.odd'],
      ['help', 'odd_key'],
    ]) {
      const { code, stderr } = await run(...args);
      expect(code, args.join(' ')).toBe(2);
      expect(stderr).toContain('needs the plugin "odd", which cannot be loaded');
    }
  });

  it('is listed with the cause and the fix', async () => {
    const { stdout } = await run('plugins');
    expect(stdout).toContain(`odd 1.2.3 (cannot be loaded)  odd-package\n    cause    ${CAUSE}\n    fix      ${FIX}\n`);
    const report: unknown = JSON.parse((await run('doctor', '--json')).stdout);
    expect(report).toMatchObject({
      ready: true,
      findings: expect.arrayContaining([expect.objectContaining({ id: 'plugin', state: 'remark', fix: FIX })]) as unknown,
      outputs: expect.arrayContaining([
        { type: 'odd', plugin: 'odd', state: 'missing', because: 'plugin "odd" cannot be loaded' },
      ]) as unknown,
    });
  });

  it('is reported in the log of a server, which renders and names it where a request asks for a key of it', async () => {
    await using server = await startServer([], { cwd });
    const line = await server.line('a plugin cannot be loaded and is skipped');
    expect(line).toMatchObject({ plugin: 'odd', package: 'odd-package', fault: CAUSE, fix: FIX });
    const ask = (query: string) => fetch(`${server.url}/?url=${encodeURIComponent(PAGE)}&${query}`);
    expect((await ask('output_type=png')).status).toBe(200);
    const refused = await ask('odd_key=1');
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      errors: [{ parameter: 'odd_key', detail: '"odd_key" needs the plugin "odd", which cannot be loaded' }],
    });
  });
});
