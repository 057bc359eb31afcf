import { expect, it } from 'vitest';
import { runProgram } from '../../../../kernel/src/browser/process/run-program.js';
import { isAlive } from '../../../../kernel/src/partial-file.js';
import { until } from '../../../helpers/until.js';

const env = { PATH: process.env['PATH'] };
const shell = (script: string, timeoutMs = 60_000, signal?: AbortSignal) =>
  runProgram('/bin/sh', ['-c', script], { env, timeoutMs, ...(signal === undefined ? {} : { signal }) });

it('has what a program prints, whatever its exit code', async () => {
  expect(await shell('echo out; echo err >&2; exit 3')).toEqual({ stdout: 'out\n', stderr: 'err\n', late: false });
});

it('has the end of what is long', async () => {
  const { stdout } = await shell('seq 100000');
  expect(stdout).toMatch(/\n99999\n100000\n$/);
  expect(stdout).toHaveLength(16_384);
});

it('knows nothing of a program that is not there', async () => {
  expect(await runProgram('/nowhere/program', [], { env, timeoutMs: 60_000 })).toEqual({ stdout: '', stderr: '', late: false });
});

it('does not see the settings and secrets of the server', async () => {
  const names = (await shell('env')).stdout.split('\n').map((line) => line.split('=', 1)[0]);
  expect(names.filter((name) => !['', 'PATH', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? ''))).toEqual([]);
});

/** A wrapper that starts its program without `exec`: its own end is not its program's. */
const WRAPPER = 'sleep 600 & echo $!; wait';

it('ends a program that takes too long, with all that it has started', async () => {
  const { stdout, late } = await shell(WRAPPER, 500);
  expect(late).toBe(true);
  await until(() => !isAlive(Number(stdout)));
});

it('ends it where nobody waits any more', async () => {
  const { stdout, late } = await shell(WRAPPER, 60_000, AbortSignal.timeout(500));
  expect(late).toBe(true);
  await until(() => !isAlive(Number(stdout)));
});

it('does not wait for what a program leaves behind, and ends it', async () => {
  const { stdout, late } = await shell('sleep 600 & echo $!');
  expect(late).toBe(false);
  await until(() => !isAlive(Number(stdout)));
});
