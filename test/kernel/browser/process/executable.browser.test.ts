import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { browserFor, findBrowsers, readVersion } from '../../../../kernel/src/browser/process/executable.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'find-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(path: string, text = '#!/bin/sh\n'): Promise<string> {
  const whole = join(folder, path);
  await mkdir(dirname(whole), { recursive: true });
  await writeFile(whole, text);
  await chmod(whole, 0o755);
  return whole;
}

/** Only what lies in the test's own folder, and in the fixed places of this system. */
const find = (env: NodeJS.ProcessEnv = {}, browserPath?: string) =>
  findBrowsers({
    installation: folder,
    env: { PATH: '', PUPPETEER_CACHE_DIR: join(folder, 'cache'), ...env },
    ...(browserPath === undefined ? {} : { browserPath }),
  });

describe('a browser is found', () => {
  test('where the operator says, and nowhere else then', async () => {
    const shell = await put('my/chrome-headless-shell');
    const full = await put('my/chrome');
    expect(await find({ PUPPETEER_EXECUTABLE_PATH: full }, shell)).toEqual({ shell: { variant: 'shell', path: shell, source: 'flag' } });
    expect(await find({ PUPPETEER_EXECUTABLE_PATH: full })).toEqual({ full: { variant: 'full', path: full, source: 'environment' } });
    expect(await find({}, join(folder, 'missing'))).toEqual({});
  });

  test("in puppeteer's cache, the newest, before the system", async () => {
    await put('cache/chrome-headless-shell/linux-99.0.1.1/chrome-headless-shell-linux64/chrome-headless-shell');
    const newest = await put('cache/chrome-headless-shell/linux-100.0.1.1/chrome-headless-shell-linux64/chrome-headless-shell');
    expect((await find()).shell).toEqual({ variant: 'shell', path: newest, source: 'puppeteer cache' });
  });

  test('in the search path, and as it came by npm, with its libraries', async () => {
    const inPath = await put('bin/chromium');
    const npm = await put('.runtime/chromium/chromium');
    await mkdir(join(folder, '.runtime/chromium/lib'));
    const found = await find({ PATH: join(folder, 'bin') });
    // Systems that have a browser in its usual place come first.
    expect([inPath, '/usr/lib/chromium/chromium', '/opt/google/chrome/chrome']).toContain(found.full?.path);
    if (found.shell?.source !== 'system')
      expect(found.shell).toEqual({ variant: 'shell', path: npm, source: 'npm', libraries: join(folder, '.runtime/chromium/lib') });
  });

  test('for both variants where there is but one', () => {
    const shell = { variant: 'shell', path: '/x', source: 'system' } as const;
    expect(browserFor({ shell }, 'full')).toBe(shell);
    expect(browserFor({ full: { ...shell, variant: 'full' } }, 'shell')).toMatchObject({ variant: 'full' });
    expect(browserFor({}, 'shell')).toBeUndefined();
  });
});

test('the version is read from the binary', async () => {
  expect(await readVersion(await put('chrome', '#!/bin/sh\necho "Chromium 156.0.8078.79 built on Debian"\n'))).toBe('156.0.8078.79');
  expect(await readVersion(await put('broken', '#!/bin/sh\nexit 1\n'))).toBeUndefined();
});
