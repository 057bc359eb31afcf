import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../helpers/run-cli.js';
import { openSite } from '../../helpers/site.js';
import { BLUE, isColour } from '../../plugins/capture/pictures.js';
import { decodeStill, DJXL } from '../../plugins/output/decode-still.js';

const run = promisify(execFile);
const BUILDER = new URL('../../../server/dist/trim/cli.js', import.meta.url).pathname;
const PAGE = 'data:text/html,<body style="background:blue">';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function build(plugins: string): Promise<{ out: string; files: readonly string[]; said: string }> {
  const out = join(folder, plugins);
  const { stdout: said } = await run(process.execPath, [BUILDER, '--plugins', plugins, '--out', out]);
  return { out, files: await readdir(out, { recursive: true }), said };
}

describe('a trimmed build with recorders', () => {
  it('sends whole scripts into pages: storage goes round', async () => {
    const { out } = await build('png,txt,storage');
    await using site = await openSite({
      '/': '<p>none</p><script>document.querySelector("p").textContent = localStorage.seen ?? "none"; localStorage.seen = "before"</script>',
    });
    const platen = (...args: string[]) => run(process.execPath, [join(out, 'platen.mjs'), site.url('/'), ...args], { cwd: folder });
    await platen('kept.png', '--with-storage');
    const { stdout } = await platen('-', '--output-type', 'txt', '--storage', 'kept.storage.json');
    expect(stdout).toBe('before\n');
  });
});

describe('a trimmed build with png alone', () => {
  let out: string;
  let files: readonly string[];
  let said: string;
  beforeAll(async () => {
    ({ out, files, said } = await build('png'));
  });

  it('is told of while it is built: what it is without, but for what comes with that', () => {
    expect(said).toMatch(/\nNot included unless --plugins names them:\n {6}apng avif [^]* webp\n/);
    for (const line of [/^ {2}target +Viewport, device, user agent/m, /^ {2}wait +Condition under which/m, /^ {2}robots +/m])
      expect(said).toMatch(line);
    expect(said).not.toMatch(/^ {2}(?:png|pixels|frames|dom) /m);
  });

  it('has a help that speaks only of what is there, and of the program as it is called', async () => {
    const help = async (...args: string[]) => (await run(process.execPath, [join(out, 'platen.mjs'), ...args], { cwd: out })).stdout;
    const screen = await help('--help');
    expect(screen).toMatch(/^Usage: node platen\.mjs URL/m);
    expect(screen).toContain('  node platen.mjs https://example.com page.png\n');
    for (const text of [screen, await help('--help', 'all')])
      expect(text).not.toMatch(/webp|pdf|--device|--emulate|--wait-for|--plugin |sign URL|license/);
  });

  it('holds one bundle, and neither sharp nor ffmpeg', async () => {
    expect([...files].sort()).toEqual(['LICENSES.txt', 'manifest.json', 'package.json', 'platen.mjs']);
    const names = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as { packages: { name: string }[] };
    expect(names.packages.map(({ name }) => name).filter((name) => /sharp|ffmpeg/.test(name))).toEqual([]);
  });

  it('holds nothing of what puppeteer has for Firefox and for downloading browsers', async () => {
    const { packages } = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as { packages: { name: string }[] };
    const names = packages.map(({ name }) => name);
    expect(names).toContain('puppeteer-core');
    expect(names.filter((name) => /bidi|quickjs|proxy-agent|yargs|esprima|extract-zip|tar-fs/.test(name))).toEqual([]);
  });

  it('says in its manifest which plugins it has and what each package weighs', async () => {
    const manifest: unknown = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({
      plugins: [{ name: 'screenshot' }, { name: 'png', outputs: ['png'] }],
      packages: expect.arrayContaining([
        expect.objectContaining({ name: '@platen/kernel', bytes: expect.any(Number) as unknown }),
      ]) as unknown,
    });
  });

  it('serves on its own, and refuses every other format and key with 400', async () => {
    await using platen = await startServer([], { file: join(out, 'platen.mjs'), cwd: folder });
    const ask = (query: string) => fetch(`${platen.url}/?url=${encodeURIComponent(PAGE)}${query}`);
    const picture = await ask('');
    expect(await sharp(Buffer.from(await picture.arrayBuffer())).metadata()).toMatchObject({ format: 'png', width: 1280, height: 720 });
    for (const query of ['&output_type=webp', '&output_type=jpg', '&output_type=pdf', '&emulate_dark_mode=true', '&browser_width=300']) {
      expect((await ask(query)).status, query).toBe(400);
    }
  });

  it('says of a key and of an output type which plugin would provide it', async () => {
    await using platen = await startServer([], { file: join(out, 'platen.mjs'), cwd: folder });
    const detailOf = async (query: string) => (await fetch(`${platen.url}/?url=${encodeURIComponent(PAGE)}${query}`)).text();
    expect(await detailOf('&emulate_dark_mode=true')).toContain('needs the plugin \\"emulate\\", which this build does not include');
    expect(await detailOf('&output_type=jpg')).toContain('needs the plugin \\"jpg\\", which this build does not include');
  });

  it.each([
    [
      ['--server-enable-prometheus', '--server'],
      '--server-enable-prometheus needs the plugin "metrics", which this build does not include',
    ],
    [['help', 'device'], '"device" needs the plugin "target", which this build does not include'],
    [['help', '--server-enable-prometheus'], '"--server-enable-prometheus" needs the plugin "metrics", which this build does not include'],
    [[PAGE, 'page.webp'], '".webp" needs the plugin "webp", which this build does not include'],
  ])('says the same on the command line: %j', async (args, message) => {
    await expect(run(process.execPath, [join(out, 'platen.mjs'), ...args], { cwd: folder })).rejects.toMatchObject({
      stderr: expect.stringContaining(message) as unknown,
    });
  });

  it('is told by its doctor of what it would use, and of nothing that it has not', async () => {
    const env = { ...process.env, PATH: join(folder, 'empty') };
    const { stdout } = await run(process.execPath, [join(out, 'platen.mjs'), 'doctor'], { cwd: folder, env });
    expect(stdout).toMatch(/^ {2}png +ready/m);
    expect(stdout).not.toMatch(/npm|ffmpeg|libvips/);
  });

  it('refuses --plugin, with a reason', async () => {
    await expect(run(process.execPath, [join(out, 'platen.mjs'), '--plugin', './x', PAGE])).rejects.toMatchObject({
      stderr: expect.stringContaining('this is a trimmed build') as unknown,
    });
  });
});

describe('a trimmed build with webp', () => {
  it('brings sharp along and renders, away from the repository', async () => {
    const { out } = await build('webp');
    await run(process.execPath, [join(out, 'platen.mjs'), PAGE, 'page.webp'], { cwd: folder });
    expect(await sharp(join(folder, 'page.webp')).metadata()).toMatchObject({ format: 'webp', width: 1280 });
  });
});

describe('a trimmed build with mkv, whose package has other plugins too', () => {
  it('holds the code of mkv, and none of webm and mp4', async () => {
    const { out } = await build('mkv');
    const code = await readFile(join(out, 'platen.mjs'), 'utf8');
    const marks = ['muxer:"matroska"', 'libx264', 'muxer:"webm"', 'libvpx', 'muxer:"mp4"', '+faststart'];
    expect(marks.filter((mark) => code.includes(mark))).toEqual(['muxer:"matroska"', 'libx264']);
    const manifest: unknown = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({
      plugins: [{ name: 'frames' }, { name: 'screenshot' }, { name: 'mkv', package: '@platen/plugin-video' }, { name: 'ffmpeg' }],
      left_out: expect.arrayContaining([expect.objectContaining({ name: 'webm', description: 'Output type webm, VP9.' })]) as unknown,
    });
  });

  it('with jpg: its doctor does not ask for ffmpeg, which other plugins of the package use', async () => {
    const { out } = await build('jpg');
    const env = { ...process.env, PATH: join(folder, 'empty') };
    const { stdout } = await run(process.execPath, [join(out, 'platen.mjs'), 'doctor'], { cwd: folder, env });
    expect(stdout).toMatch(/^ {2}jpg +ready/m);
    expect(stdout).not.toContain('ffmpeg');
  });
});

describe('a trimmed build with gif', () => {
  it('is told by its doctor that ffmpeg is missing, and how to get it without npm', async () => {
    const { out } = await build('png,gif');
    const env = { ...process.env, PATH: join(folder, 'empty') };
    const { stdout } = await run(process.execPath, [join(out, 'platen.mjs'), 'doctor'], { cwd: folder, env });
    expect(stdout).toMatch(/^ {2}ffmpeg +- +not found[^]*\n {2}gif +MISSING +ffmpeg: not found.*\n +-> apt-get install ffmpeg$/m);
    expect(stdout).not.toContain('npm');
  });
});

describe('a trimmed build with jpegxl', () => {
  it('brings the encoder along that needs no program of the host', async () => {
    const { out } = await build('jpegxl');
    const env = { ...process.env, PATH: join(folder, 'empty') };
    await run(process.execPath, [join(out, 'platen.mjs'), PAGE, 'page.jxl'], { cwd: folder, env });
    const bytes = await readFile(join(folder, 'page.jxl'));
    const picture = await decodeStill(bytes, DJXL);
    expect([picture.width, picture.height]).toEqual([1280, 720]);
    expect(isColour(picture.at(9, 9), BLUE, 6)).toBe(true);
    const { stdout } = await run(process.execPath, [join(out, 'platen.mjs'), 'doctor', '--json'], { cwd: folder, env });
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly id: string; readonly text: string }[] };
    expect(findings.find(({ id }) => id === 'jpeg_xl_encoder')?.text).toMatch(/^@jsquash\/jxl \d/);
  });
});

describe('npm run build:trim', () => {
  it('--help says how to call it', async () => {
    const { stdout, stderr } = await run(process.execPath, [BUILDER, '--help'], { cwd: folder });
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^npm run build:trim -- .*\n[^]*--out DIR/) as string, stderr: '' });
  });

  it.each([
    [['--plugins', 'pgn', '--out', 'never'], /there is no plugin "pgn"; did you mean "png"\?/],
    [['--plugins', 'screenshot', '--out', 'never'], /no plugin with an output type is enabled: .*\bpng\b/],
    [['--plugins', 'png'], /--plugins and --out are both required/],
    [['--plugins', 'png', '--out', '.'], /is not empty/],
  ])('refuses %j', async (args, message) => {
    await build('png').catch(() => undefined);
    await expect(run(process.execPath, [BUILDER, ...args], { cwd: folder })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message) as unknown,
    });
  });
});
