import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { lastLines, runCommand } from '../../server/setup/run-command.mjs';

const node = (code: string, timeoutMs = 60_000) => runCommand(process.execPath, ['-e', code], { timeoutMs });

describe('a command of the setup', () => {
  it('gives back what it printed, on both streams', async () => {
    await expect(node('console.log("out"); console.error("err")')).resolves.toMatchObject({ ok: true, output: 'out\nerr\n', problem: '' });
  });

  it('says how it failed', async () => {
    await expect(node('process.exit(7)')).resolves.toMatchObject({ ok: false, problem: 'it ended with code 7' });
  });

  it('that is not installed is named', async () => {
    await expect(runCommand('platen-no-such-command', [], { timeoutMs: 1000 })).resolves.toMatchObject({
      ok: false,
      problem: '"platen-no-such-command" is not installed',
    });
  });

  it('is ended with its children when its time is up', async () => {
    const child =
      'const { pid } = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "inherit" });';
    const { ok, output, problem } = await node(`${child} console.log(pid); setInterval(() => {}, 1e9);`, 2000);
    expect({ ok, problem }).toEqual({ ok: false, problem: 'it did not end within 2 s' });
    await expect.poll(() => isAlive(Number(output))).toBe(false);
  });

  it('is ended with its children when the setup is killed', async () => {
    const module = new URL('../../server/setup/run-command.mjs', import.meta.url).href;
    const idle = 'setInterval(() => {}, 1e9)';
    const command = `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', '${idle}']); const pids = [process.pid, process.ppid, pid];`;
    const tells = `${command} require('node:net').connect(+process.env.PORT).end(JSON.stringify(pids)); ${idle};`;
    const setUp = `const { runCommand } = await import(${JSON.stringify(module)}); await runCommand(process.execPath, ['-e', ${JSON.stringify(tells)}], { timeoutMs: 60_000, endsWithUs: true });`;
    await using server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', setUp], { env: { ...process.env, PORT: String(port) } });
    const [socket] = (await once(server, 'connection')) as [Socket];
    const pids = (await json(socket)) as readonly number[];
    expect(pids.filter(isAlive)).toEqual(pids);
    holder.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  it('that ends with the setup says how it ended', async () => {
    const supervised = { timeoutMs: 60_000, endsWithUs: true };
    await expect(runCommand(process.execPath, ['-e', 'console.log(1); process.exit(7)'], supervised)).resolves.toEqual({
      ok: false,
      output: '1\n',
      problem: 'it ended with code 7',
    });
    await expect(runCommand(process.execPath, ['-e', '0'], supervised)).resolves.toMatchObject({ ok: true });
    await expect(runCommand('platen-no-such-command', [], supervised)).resolves.toMatchObject({
      ok: false,
      output: '"platen-no-such-command" is not installed\n',
    });
  });

  it('leaves no listener for signals behind', async () => {
    const before = process.listenerCount('SIGTERM');
    await node('');
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});

it('keeps the end of a long output', () => {
  expect(lastLines('1\n2\n3\n4\n', 2)).toBe('3\n4');
});

/** A zombie that nobody has waited for is dead, too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/^State:\s+Z/m.test(readStatus(pid));
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
