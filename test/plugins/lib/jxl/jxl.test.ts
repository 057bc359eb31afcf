import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { createJxlEncoder, JXL_ENCODERS } from '@platen/lib-jxl';
import { findFfmpeg } from '@platen/lib-ffmpeg-host';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runEncoder } from '../../../../plugins/lib/jxl/src/jxl-encoders.js';
import { isColour } from '../../capture/pictures.js';
import { decodeStill, describeStill, DJXL } from '../../output/decode-still.js';

const WIDTH = 303;
const HEIGHT = 201;
let png: Buffer;
let folder: string;

beforeAll(async () => {
  const half = await sharp({ create: { width: WIDTH, height: 100, channels: 3, background: '#1e1ec8' } })
    .png()
    .toBuffer();
  png = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#c81e1e' } })
    .composite([{ input: half, gravity: 'south' }])
    .png()
    .toBuffer();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const parts = () => Readable.from([png.subarray(0, 40), png.subarray(40, 41), png.subarray(41)]);
const pictureOf = (source: Buffer | Readable) => ({ png: source, width: WIDTH, height: HEIGHT });

describe.each(JXL_ENCODERS.candidates.map(({ name }) => ({ name })))('$name', ({ name }) => {
  const encoder = createJxlEncoder({ only: name });

  it.each([['a buffer', () => png] as const, ['a stream', parts] as const])(
    'encodes %s in size, place and colour, as sRGB',
    async (_, source) => {
      const bytes = await encoder.encode(pictureOf(source()));
      const picture = await decodeStill(bytes, DJXL);
      expect([picture.width, picture.height]).toEqual([WIDTH, HEIGHT]);
      expect(isColour(picture.at(150, 10), [200, 30, 30], 6)).toBe(true);
      expect(isColour(picture.at(150, 190), [30, 30, 200], 6)).toBe(true);
      expect(await describeStill(bytes, DJXL, ['jxlinfo'])).toMatch(/lossy.*\n.*sRGB primaries, sRGB transfer function/);
    },
  );

  it('rejects what is no picture, leaves no file, and goes on', async () => {
    await expect(encoder.encode(pictureOf(Buffer.from('not a picture')))).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
    await expect(encoder.encode(pictureOf(png))).resolves.toBeInstanceOf(Buffer);
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends when nobody waits any more, leaving no file', async () => {
    const gone = new AbortController();
    const source = new Readable({
      read() {
        this.push(png.subarray(0, 40));
        gone.abort(new Error('client left'));
      },
    });
    await expect(encoder.encode(pictureOf(source), { signal: gone.signal })).rejects.toThrow();
    source.destroy();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the choice of the encoder', () => {
  it('falls on the package where the host has no program', async () => {
    vi.stubEnv('PATH', folder);
    const bytes = await createJxlEncoder().encode(pictureOf(png));
    vi.unstubAllEnvs();
    // Only the package's writes an alpha channel.
    expect(await describeStill(bytes, DJXL, ['jxlinfo'])).toContain('8-bit RGBA');
  });

  it('says what to install where there is none', async () => {
    vi.stubEnv('PATH', folder);
    await expect(createJxlEncoder({ only: 'cjxl' }).encode(pictureOf(png))).rejects.toMatchObject({
      code: 'feature_unavailable',
      status: 501,
      message: expect.stringContaining('"apt-get install libjxl-tools" installs one') as unknown,
    });
  });

  it('looks for the ffmpeg that it is told of, and for no other', async () => {
    const ffmpeg = await findFfmpeg();
    vi.stubEnv('PATH', folder);
    const bytes = await createJxlEncoder({ only: 'ffmpeg with libjxl' }).encode(pictureOf(png), { ffmpeg });
    vi.unstubAllEnvs();
    expect((await decodeStill(bytes, DJXL)).width).toBe(WIDTH);
    const encoder = createJxlEncoder({ only: 'ffmpeg with libjxl' });
    const missing = encoder.encode(pictureOf(png), { ffmpeg: join(folder, 'ffmpeg') });
    await expect(missing).rejects.toMatchObject({ code: 'feature_unavailable' });
  });

  it('is made once', async () => {
    vi.stubEnv('PATH', folder);
    const encoder = createJxlEncoder({ only: 'ffmpeg with libjxl' });
    await expect(encoder.encode(pictureOf(png))).rejects.toMatchObject({ code: 'feature_unavailable' });
    vi.unstubAllEnvs();
    await expect(encoder.encode(pictureOf(png))).rejects.toMatchObject({ code: 'feature_unavailable' });
  });

  it('bounds the picture: WebAssembly has less memory than a program', async () => {
    const large = { png, width: 4097, height: 4096 };
    await expect(createJxlEncoder({ only: '@jsquash/jxl' }).encode(large)).rejects.toMatchObject({
      code: 'capture_too_large',
      status: 422,
    });
    await expect(createJxlEncoder({ only: 'cjxl' }).encode(large)).resolves.toBeInstanceOf(Buffer);
  });
});

it('ends the thread of WebAssembly when nobody waits any more', async () => {
  const started = once(process, 'worker');
  const gone = new AbortController();
  const encoding = createJxlEncoder({ only: '@jsquash/jxl' }).encode(pictureOf(png), { signal: gone.signal });
  const [worker] = (await started) as [Worker];
  const answered = vi.fn();
  worker.on('message', answered);
  gone.abort(new Error('client left'));
  await expect(encoding).rejects.toThrow();
  // A thread that has ended has no number.
  expect(worker.threadId).toBe(-1);
  expect(answered).not.toHaveBeenCalled();
});

describe('a program', () => {
  it('is killed when nobody waits any more', async () => {
    const [fifo, program] = [join(folder, 'fifo'), join(folder, 'sleeper')];
    execFileSync('sh', ['-c', 'mkfifo "$0"', fifo]);
    // Holds the pipe open for as long as it lives.
    await writeFile(program, `#!/bin/sh\nexec 3>${fifo}\necho started >&3\nexec sleep 1000\n`, { mode: 0o755 });
    const pipe = createReadStream(fifo);
    const gone = new AbortController();
    const running = runEncoder({ program, args: [], signal: gone.signal });
    await once(pipe, 'data');
    gone.abort(new Error('client left'));
    await expect(running).rejects.toThrow();
    await once(pipe, 'end');
  });

  it('that fails says why', async () => {
    const program = join(folder, 'failing');
    await writeFile(program, '#!/bin/sh\necho no memory >&2\nexit 3\n', { mode: 0o755 });
    await expect(runEncoder({ program, args: [], input: Buffer.alloc(1_000_000), signal: undefined })).rejects.toThrow('no memory');
  });
});
