import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CHECKERS } from '../../server/setup/checkers.mjs';
import { ROOT } from '../architecture/workspaces.js';
import { openFakeClone, type FakeClone } from './fake-clone.js';

/** Runs the setup with nothing in PATH but the clone's own `bin`. */
function setUp(clone: FakeClone, args: readonly string[]): Promise<{ code: unknown; stderr: string }> {
  const env = { PATH: join(clone.root, 'bin'), HOME: clone.root };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(clone.root, 'server/setup/setup.mjs'), ...args], { env }, (error, _stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stderr });
    });
  });
}

it('asks for no checker unless told to', async () => {
  using clone = openFakeClone();
  expect((await setUp(clone, [])).stderr).not.toContain('checkers');
});

it('names the packages that are missing where it cannot install them, also when it is to be quiet, and goes on', async () => {
  using clone = openFakeClone();
  for (const name of Object.keys(CHECKERS)) if (name !== 'jxlinfo' && name !== 'mkvinfo') clone.write(`bin/${name}`, '', 0o755);
  const { code, stderr } = await setUp(clone, ['--quiet', '--with-checkers', '--no-apt']);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'setup: checkers of the tests: missing libjxl-tools, mkvtoolnix: the tests that need them will fail; the setup installs them as root on Debian and Ubuntu\n',
  );
});

it('says nothing where all are there', async () => {
  using clone = openFakeClone();
  for (const name of Object.keys(CHECKERS)) clone.write(`bin/${name}`, '', 0o755);
  await setUp(clone, ['--quiet']);
  expect(await setUp(clone, ['--quiet', '--with-checkers'])).toEqual({ code: 0, stderr: '' });
});

it('goes with `npm test`, and with nothing that a user starts', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: Record<string, string> };
  const asking = Object.keys(scripts).filter((name) => scripts[name]?.includes('--with-checkers') === true);
  expect(asking).toEqual(['test']);
});
