import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFakeClone, type FakeClone } from './fake-clone.js';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface SetupOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Without apt, npm and the variables of the run that this test is part of. */
function setUp(clone: FakeClone, args: readonly string[], { env = {}, cwd = clone.root }: SetupOptions = {}): Promise<Ended> {
  const surroundings = { PATH: join(clone.root, 'bin'), HOME: clone.root, ...env };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(clone.root, 'server/setup/setup.mjs'), ...args],
      { env: surroundings, cwd },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
      },
    );
  });
}

describe('the setup', () => {
  it('builds what is not built, says so, and says nothing the second time', async () => {
    using clone = openFakeClone();
    const first = await setUp(clone, ['--quiet']);
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toBe('setup: build: outputs are missing: building\n');
    expect(await setUp(clone, ['--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['a flag of what it runs', ['--then', 'run.mjs', '--browser-ca-file', 'ca.pem'], {}],
    ['the environment', [], { PLATEN_BROWSER_CA_FILE: 'ca.pem' }],
  ])('asks for certutil where %s names private certificate authorities', async (_where, args, env) => {
    using clone = openFakeClone();
    clone.write('run.mjs', '');
    const { code, stderr } = await setUp(clone, ['--quiet', ...args], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/setup: certutil: not found, but --browser-ca-file requires it\n\nInstall the package libnss3-tools/);
    clone.write('bin/certutil', '', 0o755);
    expect(await setUp(clone, ['--quiet', ...args], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  it('names what it found', async () => {
    using clone = openFakeClone();
    const { stderr } = await setUp(clone, []);
    expect(stderr).toContain('packages: as in package-lock.json');
    expect(stderr).toContain(`browser: 1.2.3.4, ${join(clone.root, 'browser')} (system)`);
    expect(stderr).toContain('ffmpeg: not found; no plugin requires it');
  });

  it('does nothing in a dry run but say what it would do', async () => {
    using clone = openFakeClone();
    clone.remove('node_modules/.package-lock.json');
    const { code, stderr } = await setUp(clone, ['--dry-run', '--then', 'ran.mjs']);
    expect(code).toBe(0);
    expect(stderr).toContain('would fix: packages: node_modules is missing');
    expect(stderr).toContain('would fix: build: outputs are missing');
    expect(stderr).toContain('would fix: browser: unknown until');
    expect(existsSync(join(clone.root, '.runtime'))).toBe(false);
  });

  it('that cannot install says what failed and what to do', async () => {
    using clone = openFakeClone();
    clone.remove('node_modules/.package-lock.json');
    clone.write('bin/npm', '#!/bin/sh\necho "npm error: no registry"; exit 1\n', 0o755);
    const { code, stderr } = await setUp(clone, []);
    expect(code).toBe(1);
    expect(stderr).toContain('npm error: no registry');
    expect(stderr).toContain('Check the connection to the npm registry');
  });

  it('goes on where what it remembers cannot be written, and says so once', async () => {
    using clone = openFakeClone();
    clone.write('.runtime', '');
    const { code, stderr } = await setUp(clone, ['--quiet']);
    expect(code).toBe(0);
    expect(stderr.match(/cannot write to/g)).toHaveLength(1);
  });

  it('that may not write says in which folder, and nothing of the network', async () => {
    using clone = openFakeClone();
    clone.remove('node_modules');
    const refused = join(clone.root, 'node_modules/left');
    clone.write('bin/npm', `#!/bin/sh\necho "npm error code EACCES\nnpm error path ${refused}"; exit 243\n`, 0o755);
    const { code, stderr } = await setUp(clone, []);
    expect(code).toBe(1);
    expect(stderr).toContain(`This user cannot write to the folder ${clone.root}`);
    expect(stderr).not.toContain('registry');
  });

  it('names the three ways to a browser where none can be had', async () => {
    using clone = openFakeClone();
    clone.remove('browser');
    clone.write('bin/npm', '#!/bin/sh\necho "npm error: no registry"; exit 1\n', 0o755);
    const { code, stderr } = await setUp(clone, ['--no-apt']);
    expect(code).toBe(1);
    for (const way of ['apt-get install chromium-headless-shell', 'npm run setup -- --embedded', 'PUPPETEER_EXECUTABLE_PATH=']) {
      expect(stderr).toContain(way);
    }
  });

  it('takes no other browser where one is named that is not there', async () => {
    using clone = openFakeClone();
    const { code, stderr } = await setUp(clone, ['--no-apt'], { env: { PUPPETEER_EXECUTABLE_PATH: '/nowhere/chrome' } });
    expect(code).toBe(1);
    expect(stderr).toContain('PUPPETEER_EXECUTABLE_PATH names /nowhere/chrome');
    expect(stderr).not.toContain('fetching');
  });

  it('installs ffmpeg only where a plugin films', async () => {
    using clone = openFakeClone();
    clone.write('plugins/lib/ffmpeg/package.json', '{ "dependencies": { "fluent-ffmpeg": "2.1.3" } }');
    const { stderr } = await setUp(clone, ['--dry-run']);
    expect(stderr).toContain('would fix: ffmpeg: not found');
  });

  it('refuses a flag that it does not know', async () => {
    using clone = openFakeClone();
    expect(await setUp(clone, ['--frobnicate'])).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown flag --frobnicate') });
  });

  it('twice at once builds once', async () => {
    using clone = openFakeClone();
    const count = join(clone.root, 'builds');
    const compiler = readFileSync(join(clone.root, 'node_modules/@typescript/native/bin/tsc'), 'utf8');
    clone.write('node_modules/@typescript/native/bin/tsc', `require('node:fs').appendFileSync(${JSON.stringify(count)}, 'x');${compiler}`);
    const runs = await Promise.all([1, 2, 3].map(() => setUp(clone, ['--quiet'])));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(readFileSync(count, 'utf8')).toBe('x');
  });
});

describe('--then', () => {
  const TELL =
    "console.log(JSON.stringify({ argv: process.argv.slice(1), cwd: process.cwd(), listeners: process.listenerCount('SIGTERM') }));";

  it('runs the file in the same process, with its arguments', async () => {
    using clone = openFakeClone();
    clone.write('tell.mjs', TELL);
    const { stdout } = await setUp(clone, ['--then', 'tell.mjs', 'https://x/', 'out.png', '--full-page']);
    expect(JSON.parse(stdout)).toEqual({
      argv: [join(clone.root, 'tell.mjs'), 'https://x/', 'out.png', '--full-page'],
      cwd: clone.root,
      listeners: 0,
    });
  });

  it('serves where it is given nothing to capture', async () => {
    using clone = openFakeClone();
    clone.write('tell.mjs', TELL);
    const { stdout } = await setUp(clone, ['--then', 'tell.mjs']);
    expect(JSON.parse(stdout)).toMatchObject({ argv: [join(clone.root, 'tell.mjs'), '--server'] });
  });

  it('names files from where `npm start` was typed', async () => {
    using clone = openFakeClone();
    clone.write('tell.mjs', TELL);
    const { stdout } = await setUp(clone, ['--then', 'tell.mjs', 'u'], {
      env: { npm_lifecycle_event: 'start', INIT_CWD: join(clone.root, 'kernel') },
    });
    expect(JSON.parse(stdout)).toMatchObject({ cwd: join(clone.root, 'kernel') });
  });

  it('is not kept from serving by a hangup, and hands hangups over to what listens for them', async () => {
    using clone = openFakeClone();
    const HANGUP = "process.kill(process.pid, 'SIGHUP');";
    const source = readFileSync(join(clone.root, 'kernel/src/browser/process/executable.ts'), 'utf8');
    clone.write('kernel/src/browser/process/executable.ts', `${source}\n${HANGUP}`);
    clone.write(
      'listen.mjs',
      `setInterval(() => undefined, 60_000); process.on('SIGHUP', () => { console.log('heard'); process.exit(); }); ${HANGUP}`,
    );
    expect(await setUp(clone, ['--quiet', '--then', 'listen.mjs'])).toMatchObject({ code: 0, stdout: 'heard\n' });
  });

  it('leaves the file’s own failure to the file', async () => {
    using clone = openFakeClone();
    clone.write('fail.mjs', "throw new Error('mine');");
    const { code, stderr } = await setUp(clone, ['--then', 'fail.mjs']);
    expect(code).toBe(1);
    expect(stderr).toContain('Error: mine');
  });
});
