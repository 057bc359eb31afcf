import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli } from '../../helpers/call-cli.js';
import { runCli } from '../../helpers/run-cli.js';
import { openSite, type Site } from '../../helpers/site.js';

let cwd: string;
let site: Site;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'platen-test-'));
  site = await openSite({ '/': '<!doctype html><h1>Hello</h1>', '/slow': () => undefined, '/gone': { status: 410, body: '<p>gone' } });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(cwd, { recursive: true });
});

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const run = (...args: readonly string[]) => callCli(args, { cwd });
/** In a process of its own: its exit code, its streams and its end. */
const runProcess = (...args: readonly string[]) => runCli(args, { cwd });

describe('platen URL [FILE]', () => {
  it('writes the file, says nothing, leaves nothing else', async () => {
    const { code, stdout, stderr } = await runProcess(
      site.url('/'),
      'page.png',
      '--browser-width',
      '300',
      '--browser-height',
      '200',
      '--device-scale-factor',
      '2',
    );
    expect({ code, stdout: String(stdout), stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
    const file = await readFile(join(cwd, 'page.png'));
    expect(file.subarray(0, 4)).toEqual(PNG);
    expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([600, 400]);
    expect(await readdir(cwd)).toEqual(['page.png']);
    await rm(join(cwd, 'page.png'));
  });

  it('takes the output type from the ending, in its other spelling too', async () => {
    expect((await run(site.url('/'), 'page.jpeg')).code).toBe(0);
    expect((await readFile(join(cwd, 'page.jpeg'))).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    await rm(join(cwd, 'page.jpeg'));
  });

  it('does as --output-type says, with a note where the ending says something else', async () => {
    const { code, stderr } = await run(site.url('/'), 'page.png', '--output-type', 'jpg');
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'platen: note: page.png contains jpg, but its extension means png\n' });
    expect((await readFile(join(cwd, 'page.png'))).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    await rm(join(cwd, 'page.png'));
  });

  it('takes what may be true without a word for it, with the file before or behind it', async () => {
    for (const args of [
      ['page.png', '--with-axtree'],
      ['--with-axtree', 'page.png'],
      ['page.png', '--with-axtree', 'json', '--with-storage'],
    ]) {
      const { code, stderr } = await run(site.url('/'), ...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^page\.(?:axtree\.)?json \(/) as string });
      for (const file of await readdir(cwd)) if (file.startsWith('page.')) await rm(join(cwd, file));
    }
  });

  it('names the file after the target where none is named', async () => {
    const { code, stderr } = await run(site.url('/'), '--output-type', 'webp');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^127\.0\.0\.1\.webp \(\d+ bytes\)\n$/);
    expect((await readFile(join(cwd, '127.0.0.1.webp'))).subarray(8, 12).toString()).toBe('WEBP');
    await rm(join(cwd, '127.0.0.1.webp'));
  });

  it('- is stdout', async () => {
    const { code, stdout, stderr } = await runProcess(site.url('/'), '-');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.subarray(0, 4)).toEqual(PNG);
  });

  it('lists repeat their flag and keep their commas', async () => {
    await run(site.url('/'), '-', '--header', 'X-One: a, b', '--header', 'X-Two: c', '--cookie', `a=1; Domain=127.0.0.1`);
    expect(site.requests.at(-1)?.headers).toMatchObject({ 'x-one': 'a, b', 'x-two': 'c' });
  });

  it('--diagnostics works here too, and holds neither secrets nor paths', async () => {
    const { code, stdout } = await runCli([site.url('/'), '-', '--diagnostics'], { cwd, env: { MY_SECRET: 'canary-5f2a' } });
    expect(code).toBe(0);
    const report = JSON.parse(String(stdout));
    expect(report).toMatchObject({
      versions: { node: process.versions.node, browser: expect.stringMatching(/^\d+\./) },
      plugins: expect.arrayContaining([expect.objectContaining({ name: 'png', outputs: ['png'] })]),
    });
    expect(String(stdout)).not.toMatch(/canary-5f2a|\/usr\/|\/home\/|\/root\/|dist/);
  });
});

describe('errors are one line that names what failed, and a hint', () => {
  const cases: readonly (readonly [
    string,
    { readonly args: readonly string[]; readonly code: number; readonly message: RegExp; readonly call?: typeof run },
  ])[] = [
    [
      'an unknown flag',
      { args: ['http://a.test/', '--fullpage'], code: 2, message: /^platen: unknown flag --fullpage\n {2}did you mean --full-page\?\n$/ },
    ],
    ['a command that is a flag', { args: ['server'], code: 2, message: /did you mean `platen --server`\?/ }],
    ['a command behind flags', { args: ['--log-level', 'info', 'plugins'], code: 2, message: /did you mean `platen plugins`\?/ }],
    [
      'help that is neither wanted nor not',
      { args: ['http://a.test/', '--help=perhaps'], code: 2, message: /--help must be true or false/ },
    ],
    [
      'a flag without its value',
      { args: ['http://a.test/', '--wait-for'], code: 2, message: /^platen: --wait-for needs a value\n.*help wait_for.*\n$/ },
    ],
    ['a scalar twice', { args: ['http://a.test/', '--timeout', '1', '--timeout', '2'], code: 2, message: /--timeout is given twice/ }],
    [
      'a value outside its range',
      { args: ['http://a.test/', 'x.png', '--device-scale-factor', '9'], code: 2, message: /"device_scale_factor" must be/ },
    ],
    [
      'two wrong values',
      {
        args: ['http://a.test/', 'x.png', '--device-scale-factor', '9', '--full-page', '--timeout=soon'],
        code: 2,
        message: /device_scale_factor(.|\n)*timeout/,
      },
    ],
    ['a scheme that is not rendered', { args: ['file:///etc/passwd', 'x.png'], code: 2, message: /http/ }],
    [
      'an ending that no plugin makes',
      {
        args: ['http://a.test/', 'x.xyz'],
        code: 2,
        message: /no enabled plugin creates "\.xyz" files\n {2}known extensions: .*\bjpg, .*\bpng, .*\bwebp\b/,
      },
    ],
    ['no ending', { args: ['http://a.test/', 'x'], code: 2, message: /has no extension/ }],
    ['one word too many', { args: ['http://a.test/', 'x.png', 'y.png'], code: 2, message: /unexpected argument "y\.png"/ }],
    ['a word behind plugins', { args: ['plugins', 'xyz'], code: 2, message: /unexpected argument "xyz"/ }],
    ['a word behind doctor', { args: ['doctor', 'x', '--json'], code: 2, message: /unexpected argument "x"/ }],
    ['words that nothing explains', { args: ['help', 'flags', 'papyrus'], code: 2, message: /no help is available for "flags papyrus"/ }],
    ['a URL for a server', { args: ['--server', 'http://a.test/'], code: 2, message: /--server does not accept "http:\/\/a\.test\/"/ }],
    ['a request key for a server', { args: ['--server', '--full-page'], code: 2, message: /--full-page is a request key/ }],
    [
      'an unknown plugin',
      { args: ['http://a.test/', '--plugins', 'pgn'], code: 2, message: /there is no plugin "pgn"; did you mean "png"\?/ },
    ],
    [
      'a server that could make nothing',
      {
        args: ['--server', '--plugins', 'png', '--disable-plugins', 'png'],
        code: 2,
        message:
          /no plugin with an output type is enabled: --plugins must include one that --disable-plugins does not disable \(apng, .*\bpng\b/,
      },
    ],
    [
      "a disabled plugin's type",
      {
        args: ['http://a.test/', 'x.webp', '--disable-plugins', 'webp'],
        code: 2,
        message: /"\.webp" needs the plugin "webp", which is not enabled/,
      },
    ],
    ['a folder that is not there', { args: ['http://a.test/', 'no/such/x.png'], code: 6, message: /no such folder/ }],
    [
      'a file as a folder',
      { args: ['http://a.test/', 'bad.json/x.png'], code: 6, message: /bad\.json\/x\.png: a part of the path is not a folder\n$/ },
    ],
    [
      'a browser that is not there',
      {
        args: ['http://a.test/', 'x.png', '--browser-path', '/nowhere/b'],
        code: 5,
        message: /: --browser-path \/nowhere\/b: there is no such file\n/,
      },
    ],
    [
      'a browser that is none',
      {
        args: ['http://a.test/', 'x.png', '--browser-path', '/bin/ls'],
        code: 5,
        message: /^platen: the browser does not start: .*\/bin\/ls.*\n {2}`platen doctor`/,
      },
    ],
    ['a folder as the file', { args: ['http://a.test/', 'folder.png'], code: 6, message: /it is a folder/ }],
    [
      'a bad config file',
      {
        args: ['http://a.test/', '--config', 'bad.json'],
        code: 2,
        message: /bad\.json is not valid JSON\n.*line 1, column 2: expected a key/,
        // Only a process has its working directory to find the file in.
        call: runProcess,
      },
    ],
    ['a missing flag as topic', { args: ['help', 'server-bind-prot'], code: 2, message: /did you mean "server-bind-port"\?/ }],
    ['a missing topic', { args: ['help', 'wait_fro'], code: 2, message: /did you mean "wait_for"\?/ }],
  ];
  beforeAll(async () => {
    await mkdir(join(cwd, 'folder.png'));
    await writeFile(join(cwd, 'bad.json'), '{');
  });
  afterAll(async () => {
    await rm(join(cwd, 'folder.png'), { recursive: true });
    await rm(join(cwd, 'bad.json'));
  });

  it.each(cases)('%s', async (_, { args, code, message, call = run }) => {
    const result = await call(...args);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).toMatch(/^platen: /);
    expect(result.stderr).not.toMatch(/\n {4}at /);
    expect({ code: result.code, stdout: String(result.stdout) }).toEqual({ code, stdout: '' });
  });

  it("the target's error status is 3, with the way around it", async () => {
    const { code, stderr } = await run(site.url('/gone'), 'x.png');
    expect(code).toBe(3);
    expect(stderr).toBe(`platen: the target responded with status 410 (${site.url('/gone')})\n  --no-fail renders it anyway\n`);
    expect(await readdir(cwd)).not.toContain('x.png');
    expect((await run(site.url('/gone'), '-', '--no-fail')).code).toBe(0);
  });

  it('a timeout is 4', async () => {
    const { code, stderr } = await runProcess(site.url('/slow'), 'x.png', '--timeout', '0.5');
    expect(code).toBe(4);
    expect(stderr).toMatch(/^platen: [^\n]+\n {2}--timeout SECONDS/);
  });
});
