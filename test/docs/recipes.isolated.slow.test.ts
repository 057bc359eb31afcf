import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/workspaces.js';
import { openProxy, type TestProxy } from '../helpers/proxy.js';
import { CLI, startServer, type RunningServer } from '../helpers/run-cli.js';
import type { Site } from '../helpers/site.js';
import { until } from '../helpers/until.js';
import { startRedis, type RedisServer } from '../plugins/service/cluster/redis-server.js';
import { openS3, type S3Server } from '../plugins/service/s3-store/s3-server.js';
import { openRecipeSite } from './recipe-site.js';

const run = promisify(execFile);
const DOCS = join(ROOT, 'server/docs');
/** Pictures in the page are at most this wide. */
const PICTURE_WIDTH = 480;

interface Recipe {
  readonly title: string;
  /** Lines of all blocks, in order. */
  readonly lines: readonly string[];
  readonly text: string | undefined;
  readonly file: string | undefined;
  readonly claim: string | undefined;
  readonly picture: string | undefined;
}

const RECIPES: readonly Recipe[] = (await readFile(join(DOCS, 'recipes.md'), 'utf8'))
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [, file, claim] = /^Result: `([^`]+)`, (.+)$/m.exec(section) ?? [];
    return {
      title: section.slice(0, section.indexOf('\n')),
      lines: [...section.matchAll(/^```sh\n([^]*?)\n```$/gm)].flatMap(([, block = '']) => block.split('\n')),
      text: /^```text\n([^]*?)^```$/m.exec(section)?.[1],
      file,
      claim,
      picture: /!\[[^\]]+\]\((images\/[^)]+)\)/.exec(section)?.[1],
    };
  });

let folder: string;
let site: Site;
let proxy: TestProxy;
let s3: S3Server;
let redis: RedisServer;
let shared: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  [site, proxy, s3, redis, shared] = await Promise.all([openRecipeSite(), openProxy(), openS3(), startRedis(), startServer()]);
});
afterAll(async () => {
  for (const each of [shared, site, proxy, s3, redis]) await each[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** The line with the addresses and programs of this machine. */
function localize(line: string, server: string): string {
  return line
    .replaceAll('https://example.com/', site.url('/'))
    .replaceAll('http://127.0.0.1:3000', server)
    .replaceAll('http://proxy.example:3128', proxy.url)
    .replaceAll('http://minio:9000', s3.url)
    .replaceAll('redis://127.0.0.1:6379', redis.url)
    .replaceAll('./plugin-template', join(ROOT, 'plugin-template'))
    .replaceAll(/(?:\.\/)?appliance(?=\/|$)/g, join(folder, 'appliance'))
    .replaceAll(/\bnpm run\b/g, `npm --silent --prefix ${ROOT} run`)
    .replaceAll(/\bnpx platen\b/g, `${process.execPath} ${CLI}`)
    .replaceAll(/\bcurl\b/g, 'curl --silent --show-error');
}

/** Runs the lines; those that serve go on until the end. Resolves with what the last line printed. */
async function follow({ lines }: Recipe): Promise<string> {
  const servers: RunningServer[] = [];
  let url = shared.url;
  let printed = '';
  try {
    for (const line of lines) {
      if (line.startsWith('npx platen --server')) {
        const server = await serve(line);
        servers.push(server);
        ({ url } = server);
      } else printed = (await run('bash', ['-c', localize(line, url)], { cwd: folder, maxBuffer: 2 ** 26 })).stdout;
    }
    if (lines.some((line) => line.includes('/hook'))) await until(() => site.requests.some((request) => request.url === '/hook'));
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
  return printed.replaceAll(site.url('/'), 'https://example.com/');
}

/** Starts the server of a line, on a free port. */
async function serve(line: string): Promise<RunningServer> {
  const words = localize(line, '')
    .replace(/^.*? --server/, '')
    .replace(/--server-bind-port \d+/, '');
  const { stdout } = await run('bash', ['-c', `printf '%s\\n' ${words}`], { cwd: folder });
  const args = stdout.split('\n').filter((word) => word !== '');
  return await startServer(args, { cwd: folder });
}

/** What programs that are not Platen's say of a file, in the words of the recipes. */
async function describeFile(path: string): Promise<string> {
  const count = (number: number, noun: string) => `${String(number)} ${number === 1 ? noun : noun === 'entry' ? 'entries' : `${noun}s`}`;
  switch (path.slice(path.lastIndexOf('.'))) {
    case '.pdf': {
      const info = await run('pdfinfo', [path]).catch((error: unknown) => ({ stdout: String(error) }));
      return info.stdout.includes('Incorrect password') ? 'encrypted' : count(Number(/^Pages:\s+(\d+)$/m.exec(info.stdout)?.[1]), 'page');
    }
    case '.jsonl':
      return count(
        (await readFile(path, 'utf8'))
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown).length,
        'line',
      );
    case '.wacz': {
      const { stdout } = await run('unzip', ['-p', path, 'pages/*.jsonl']);
      return count(stdout.match(/^\{"[^\n]*"url":/gm)?.length ?? 0, 'page');
    }
    case '.har':
      return count(JSON.parse(await readFile(path, 'utf8')).log.entries.length, 'entry');
    case '.gz':
      return gunzipSync(await readFile(path)).includes('nanoseconds') ? 'a profile' : 'something else';
    case '.mp4': {
      const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path]);
      return count(Math.round(Number(stdout)), 'second');
    }
    case '.ppm': {
      const [, width, height] = (await readFile(path)).toString('latin1', 0, 20).split(/\s+/);
      return `${String(width)} x ${String(height)} pixels`;
    }
    default: {
      const { width, height, pageHeight = height } = await sharp(path).metadata();
      return `${String(width)} x ${String(pageHeight)} pixels`;
    }
  }
}

/** The picture in the page is the result, made smaller: a missing one is written. */
async function checkPicture(result: string, picture: string): Promise<void> {
  const stored = join(DOCS, picture);
  const small = await sharp(result).resize({ width: PICTURE_WIDTH, withoutEnlargement: true }).png({ palette: true }).toBuffer();
  await access(stored).catch(() => sharp(small).toFile(stored));
  const { width, height } = await sharp(small).metadata();
  expect(await sharp(stored).metadata()).toMatchObject({ format: 'png', width, height });
  const [seen, wanted] = await Promise.all([stored, small].map(async (image) => (await sharp(image).removeAlpha().stats()).channels));
  seen?.forEach(({ mean }, index) => {
    expect(Math.abs(mean - (wanted?.[index]?.mean ?? 0))).toBeLessThan(12);
  });
}

describe('the recipes', () => {
  it('are thirty-four, each with a command and a result', () => {
    expect(RECIPES).toHaveLength(34);
    for (const { title, lines, text, claim } of RECIPES) {
      expect(lines.length, title).toBeGreaterThan(0);
      expect(
        [text, claim].filter((result) => result !== undefined),
        title,
      ).toHaveLength(1);
    }
  });

  it.each(RECIPES)('$title', async (recipe) => {
    const { text, file, claim, picture } = recipe;
    const printed = await follow(recipe);
    if (text !== undefined) expect(`${printed.trim()}\n`).toBe(text);
    if (file === undefined) return;
    expect(await describeFile(join(folder, file))).toBe(claim);
    if (picture !== undefined) await checkPicture(join(folder, file), picture);
  });

  it('reach what they name: the proxy, the bucket, the queue and the webhook', async () => {
    expect(proxy.asked).toContain(new URL(site.url('/')).host);
    expect((await s3.keys()).some((key) => key.includes('results/'))).toBe(true);
    expect(site.requests.filter(({ url, method }) => url === '/hook' && method === 'POST')).toHaveLength(1);
  });
});
