import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../../helpers/call-cli.js';

const PAGE = 'data:text/html,<h1>Hello</h1>';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(cwd, { recursive: true }));

const run = (...args: readonly string[]) => callCli(args, { cwd });

describe('a flag of servers', () => {
  it.each([[['page.png', '--server-bind-port', '3']], [['--server-bind-port=3', 'page.png']]])(
    'ends a single capture: %j',
    async (args) => {
      const { code, stderr } = await run(PAGE, ...args);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: 'platen: --server-bind-port is a flag of servers\n  add --server to start one, or omit the flag\n',
      });
      expect(await readdir(cwd)).toEqual([]);
    },
  );

  it('is no fault in the environment', async () => {
    const { code, stderr } = await callCli([PAGE, '-'], { cwd, env: { PLATEN_SERVER_BIND_PORT: '3' } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('help', () => {
  it('on what a plugin has that is not there names the plugin', async () => {
    const { code, stderr } = await run('help', 'device', '--disable-plugins', 'target');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'platen: "device" needs the plugin "target", which is not enabled\n  see --plugins and --disable-plugins\n',
    });
  });
});
