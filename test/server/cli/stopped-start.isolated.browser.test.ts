import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CLI = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));

/** As a folder on a host that answers no more: the timer keeps the process alive. */
const PLUGIN = `export default {
  name: 'hanging',
  serve({ hooks }, { log }) {
    hooks.start.tapPromise('hanging', () => new Promise(() => { log.info({}, 'hangs'); setInterval(() => undefined, 60_000); }));
    hooks.stop.tap('hanging', () => { log.info({}, 'closed'); });
  },
};`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await writeFile(join(folder, 'index.mjs'), PLUGIN);
  const platen = { name: 'hanging', kernel: '*' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'hanging', version: '1.0.0', main: 'index.mjs', platen }));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a hangup while plugins are loaded', () => {
  const hangup = async (args: readonly string[]) => {
    await writeFile(
      join(folder, 'index.mjs'),
      `process.kill(process.pid, 'SIGHUP');\n${PLUGIN.replace('new Promise', 'undefined && new Promise')}`,
    );
    const child = spawn(process.execPath, [CLI, '--plugins', 'hanging,png', '--plugin', folder, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const said: unknown[] = [];
    for await (const line of createInterface(child.stdout)) {
      const { msg } = JSON.parse(line) as { readonly msg: string };
      said.push(msg);
      if (msg === 'the configuration was reloaded') child.kill('SIGTERM');
    }
    return { said, exit: await exited };
  };

  it('does not end a server: its configuration is read again once it listens', async () => {
    const { said, exit } = await hangup(['--server', '--server-bind-port', '0']);
    expect(said.slice(0, 2)).toEqual(['listening', 'the configuration was reloaded']);
    expect(exit).toEqual([0, null]);
  });

  it('ends a capture', async () => {
    expect(await hangup(['data:text/plain,', 'x.png'])).toEqual({ said: [], exit: [null, 'SIGHUP'] });
  });
});

describe('a start that hangs', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('is ended by %s: what was opened is closed, and the exit code is %i', async (signal, code) => {
    const child = spawn(process.execPath, [CLI, '--server', '--server-bind-port', '0', '--plugins', 'hanging,png', '--plugin', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const said: unknown[] = [];
    for await (const line of createInterface(child.stdout)) {
      const { msg } = JSON.parse(line) as { readonly msg: string };
      said.push(msg);
      if (msg === 'hangs') child.kill(signal);
    }
    expect(await exited).toEqual([code, null]);
    expect(said).toEqual(['hangs', 'stopped during startup', 'closed']);
  });
});
