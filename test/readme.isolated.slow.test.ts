import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from './helpers/run-cli.js';
import { openSite, type Site } from './helpers/site.js';
import { BLUE, decodePicture, GREEN, isColour, RED, WHITE, type Picture } from './plugins/capture/pictures.js';

const run = promisify(execFile);
const PAGES = ['README.md', 'server/docs/api/first-request.md'];
const TEXTS = await Promise.all(PAGES.map((page) => readFile(new URL(`../${page}`, import.meta.url), 'utf8')));
const CLI = new URL('../server/dist/cli.js', import.meta.url).pathname;
const BLACK = [0, 0, 0];
const GOLD = [255, 215, 0];

/** Every line of the first pages that renders a page. */
const EXAMPLES = TEXTS.flatMap((text) => text.split('\n')).filter((line) => /^(?:curl |npx platen \S+:)/.test(line));

/** A page that shows what an example asks for: how high it is, a heading, whether it is dark, where its clock is, when it was done. */
const PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><title>Example</title>
<style>
  body { margin: 0; height: 2000px; border-bottom: 100px solid red; box-sizing: border-box }
  @media (prefers-color-scheme: dark) { body { background: black } }
  h1 { margin: 0; width: 200px; height: 50px; font-size: 1px; color: green; background: green }
  #tokyo { position: absolute; left: 300px; top: 300px; width: 50px; height: 50px; background: blue }
</style>
<body><script>
  if (Intl.DateTimeFormat().resolvedOptions().timeZone === 'Asia/Tokyo') document.body.insertAdjacentHTML('beforeend', '<div id="tokyo">');
  const addHeading = () => document.body.insertAdjacentHTML('afterbegin', '<h1>Example</h1>');
  if (location.pathname === '/late') onload = () => setTimeout(addHeading, 700);
  else addHeading();
</script>`;

interface Claim {
  /** A part of the line that no other line has. */
  readonly of: string;
  readonly file: string;
  /** A picture's. */
  readonly format?: 'png' | 'jpeg' | 'webp';
  readonly size?: readonly [width: number, height: number];
  /** The whole text of what is no picture. */
  readonly text?: string;
  /** Path of the page on the site; by default the one that has its heading from the start. */
  readonly path?: string;
  /** What is to be seen where. */
  readonly pixels?: readonly (readonly [x: number, y: number, colour: readonly number[]])[];
  /** What the site must have been sent. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

const CLAIMS: readonly Claim[] = [
  {
    of: "example.com/' -o page.png",
    file: 'page.png',
    format: 'png',
    size: [1280, 720],
    pixels: [
      [10, 10, GREEN],
      [9, 700, WHITE],
    ],
  },
  {
    of: 'full_page=true',
    file: 'page.webp',
    format: 'webp',
    size: [1280, 2000],
    pixels: [
      [10, 10, GREEN],
      [640, 1950, RED],
    ],
  },
  {
    of: 'image_selector=h1',
    file: 'heading.png',
    format: 'png',
    size: [400, 100],
    pixels: [
      [1, 1, GREEN],
      [398, 98, GREEN],
    ],
  },
  {
    ...{ of: 'device=iPhone', file: 'phone.jpg', format: 'jpeg', size: [393 * 3, 659 * 3] },
    pixels: [
      [590, 140, GREEN],
      [610, 160, WHITE],
    ],
    headers: { 'user-agent': expect.stringContaining('iPhone') },
  },
  {
    of: 'emulate_dark_mode',
    file: 'night.png',
    format: 'png',
    size: [1280, 720],
    pixels: [
      [10, 10, GREEN],
      [320, 320, BLUE],
      [9, 700, BLACK],
    ],
  },
  { of: 'wait_for=css:h1', file: 'ready.pdf', path: '/late', text: 'Example' },
  {
    of: '"image_width": 400',
    file: 'thumbnail.png',
    format: 'png',
    size: [400, 360],
    pixels: [
      [95, 20, GREEN],
      [105, 20, WHITE],
    ],
  },
  { of: 'page.md', file: 'page.md', text: '# Example' },
  {
    of: '--browser-width 1920',
    file: 'wide.jpg',
    format: 'jpeg',
    size: [1920, 1080],
    pixels: [[10, 10, GREEN]],
    headers: { 'x-preview': '1' },
  },
  { of: 'data:text/html', file: 'hello.webp', format: 'webp', size: [1280, 720], pixels: [[1200, 700, GOLD]] },
];

let folder: string;
let site: Site;
let platen: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  site = await openSite({ '/': PAGE, '/late': PAGE });
  platen = await startServer();
});
afterAll(async () => {
  await platen[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Runs a line as it stands, but for the site, the server's port and npm's way to the program; answers the path of its file. */
async function runExample(line: string, { file, path = '/' }: Claim): Promise<string> {
  const here = line
    .replaceAll('https://example.com/', site.url(path))
    .replace('http://127.0.0.1:3000', platen.url)
    .replace(/^npx platen/, `${process.execPath} ${CLI}`)
    .replace(/^curl /, 'curl --silent --show-error ');
  await rm(join(folder, file), { force: true });
  await run('bash', ['-c', here], { cwd: folder });
  return join(folder, file);
}

function checkPicture(picture: Picture, { format, size, pixels = [] }: Claim): void {
  expect({ format: picture.format, size: [picture.width, picture.height] }).toEqual({ format, size });
  // JPEG and WebP are not exact.
  for (const [x, y, colour] of pixels) {
    expect(isColour(picture.at(x, y), colour, 8), `at ${String(x)}, ${String(y)}: ${String(picture.at(x, y))}`).toBe(true);
  }
}

async function readText(path: string): Promise<string> {
  return path.endsWith('.pdf') ? (await run('pdftotext', [path, '-'])).stdout : await readFile(path, 'utf8');
}

describe('the examples of the first pages', () => {
  it('are ten, and each has a claim that is checked', () => {
    expect(EXAMPLES).toHaveLength(10);
    expect(EXAMPLES.map((line) => CLAIMS.filter(({ of }) => line.includes(of)).length)).toEqual(EXAMPLES.map(() => 1));
    expect(new Set(EXAMPLES.map((line) => CLAIMS.findIndex(({ of }) => line.includes(of)))).size).toBe(CLAIMS.length);
  });

  it.each(EXAMPLES)('%s', async (line) => {
    const claim = CLAIMS.find(({ of }) => line.includes(of));
    if (claim === undefined) throw new Error('nobody says what this example gives');
    const before = site.requests.length;
    const path = await runExample(line, claim);
    if (claim.text === undefined) checkPicture(await decodePicture(await readFile(path)), claim);
    else expect((await readText(path)).trim()).toBe(claim.text);
    const asked = site.requests.slice(before).filter(({ url }) => url === (claim.path ?? '/'));
    if (claim.headers !== undefined) expect(asked[0]?.headers).toMatchObject(claim.headers);
  });
});

it("the kernel's example renders a page", async () => {
  const readme = await readFile(new URL('../kernel/README.md', import.meta.url), 'utf8');
  const [, code = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const file = join(folder, 'kernel.png');
  const here = code.replaceAll('https://example.com/', site.url('/')).replace("'page.png'", JSON.stringify(file));
  expect(here).toContain(file);
  await run(process.execPath, ['--input-type=module', '--eval', here], { cwd: new URL('..', import.meta.url).pathname });
  expect(await decodePicture(await readFile(file))).toMatchObject({ format: 'png', width: 1280, height: 720 });
});
