import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PlatenError } from '@platen/kernel';
import { encodeVideo, requireFormat, type VideoFormat } from '@platen/lib-ffmpeg';
import { createFfmpegSource } from '@platen/lib-ffmpeg-host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeApng } from '../../../../plugins/output/apng/src/index.js';
import { encodeAvif } from '../../../../plugins/output/image/src/avif.js';
import { encodeGif } from '../../../../plugins/output/gif/src/index.js';
import { encodeMkv } from '../../../../plugins/output/video/src/mkv.js';
import { encodeMp4, MP4 } from '../../../../plugins/output/video/src/mp4.js';
import { encodeWebm } from '../../../../plugins/output/video/src/webm.js';
import { encodeWebp } from '../../../../plugins/output/image/src/webp.js';
import { makeVideo, openContext } from '../../output/videos.js';

/** What of this process lies in the temp folder. */
const leftovers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith(`platen-video-${String(process.pid)}-`));

/** Command lines of the processes that this one started and that still run. */
async function children(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = await Promise.all(
    pids.map(async (pid) => {
      const [stat, line] = await Promise.all(['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')));
      const [state, parent] = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
      return Number(parent) === process.pid && state !== 'Z' ? [(line ?? '').replaceAll('\0', ' ')] : [];
    }),
  );
  return read.flat().filter((line) => line.includes('image2pipe'));
}

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  expect(await leftovers()).toEqual([]);
  expect(await children()).toEqual([]);
});

/** An ffmpeg that answers questions as the real one does, and films as the script says. */
async function fakeFfmpeg(script: string) {
  const path = join(folder, 'ffmpeg');
  const real = await createFfmpegSource()();
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return () => Promise.resolve({ ...real, path });
}

/** Frames without end: the first ones are there, then `then` happens and no more come. */
async function endlessVideo(then: () => void) {
  const film = await makeVideo({ frameCount: 3 });
  const pictures = (await film.frames.toArray()) as readonly Buffer[];
  const frames = Readable.from(
    (async function* () {
      yield* pictures;
      then();
      await new Promise(() => undefined);
    })(),
  );
  return { ...film, frameCount: 1000, frames };
}

describe('a film that is whole', () => {
  it('is a file without a name, read once, after the browser was released', async () => {
    const { context, released } = openContext();
    await using file = await encodeVideo({ video: await makeVideo(), format: MP4, context });
    expect(released()).toBe(true);
    expect(await leftovers()).toEqual([]);
    const bytes = await file.readAll();
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
  });

  it('is worth nothing where frames are missing', async () => {
    const { context, released } = openContext();
    const film = { ...(await makeVideo({ frameCount: 4 })), frameCount: 5 };
    const encoding = encodeVideo({ video: film, format: MP4, context });
    await expect(encoding).rejects.toMatchObject({ code: 'encode_failed', cause: { message: 'received 4 of 5 frames' } });
    expect(released()).toBe(false);
  });
});

describe('a film that ends before its time', () => {
  it('stops ffmpeg and the capture at once when the client leaves', async () => {
    const client = new AbortController();
    const { context, logged } = openContext({ signal: client.signal });
    const film = await endlessVideo(() => {
      client.abort(new PlatenError('client_closed', 'the client left'));
    });
    await expect(encodeVideo({ video: film, format: MP4, context })).rejects.toMatchObject({ code: 'client_closed' });
    expect(film.frames.destroyed).toBe(true);
    expect(logged).toEqual([]);
  });

  it('does not begin for a client that has left', async () => {
    const signal = AbortSignal.abort(new PlatenError('client_closed', 'the client left'));
    const film = await makeVideo();
    await expect(encodeVideo({ video: film, format: MP4, context: openContext({ signal }).context })).rejects.toMatchObject({
      code: 'client_closed',
    });
    expect(film.frames.destroyed).toBe(true);
  });

  it("answers with the capture's own error", async () => {
    const { context, logged } = openContext();
    const film = await endlessVideo(() => {
      throw new PlatenError('page_crashed', 'the page crashed');
    });
    await expect(encodeVideo({ video: film, format: MP4, context })).rejects.toMatchObject({ code: 'page_crashed' });
    expect(logged).toEqual([]);
  });

  it('says in the log, not to the client, why ffmpeg failed', async () => {
    const { context, logged } = openContext();
    const film = { ...(await makeVideo()), frameCount: 1, frames: Readable.from([Buffer.from('no picture')]) };
    const failure = await encodeVideo({ video: film, format: MP4, context }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'encode_failed', status: 500, message: 'the mp4 could not be encoded' });
    expect(logged).toMatchObject([{ message: 'ffmpeg failed', fields: { output: 'mp4', stderr: expect.stringMatching(/\S/) } }]);
    expect(film.frames.destroyed).toBe(true);
  });

  it('stops reading frames when ffmpeg dies in the middle', async () => {
    const source = await fakeFfmpeg('head -c 100 >/dev/null; echo "out of memory" >&2; exit 9');
    const { context, logged } = openContext({ source });
    const film = await endlessVideo(() => undefined);
    await expect(encodeVideo({ video: film, format: MP4, context })).rejects.toMatchObject({ code: 'encode_failed' });
    expect(film.frames.destroyed).toBe(true);
    expect(logged).toMatchObject([{ fields: { stderr: expect.stringContaining('out of memory') } }]);
  });

  const ENCODERS = {
    mp4: encodeMp4,
    mkv: encodeMkv,
    webm: encodeWebm,
    gif: encodeGif,
    webp: encodeWebp,
    avif: encodeAvif,
    apng: encodeApng,
  };
  it.each(Object.entries(ENCODERS))('%s: an ffmpeg that ends well and writes nothing has failed', async (type, encode) => {
    // Each format asks a real ffmpeg once what it has.
    const made = await encode(await makeVideo({ format: 'png' }), openContext().context);
    if ('body' in made && made.body instanceof Readable) made.body.destroy();
    const source = await fakeFfmpeg('cat >/dev/null; exit 0');
    const failure = await encode(await makeVideo({ format: 'png' }), openContext({ source }).context).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'encode_failed',
      status: 500,
      message: `the ${type} could not be encoded: ffmpeg wrote nothing`,
    });
  });

  it('an avif that is none is not answered', async () => {
    const source = await fakeFfmpeg('cat >/dev/null; for last; do :; done; echo rubbish >"$last"');
    const failure = await encodeAvif(await makeVideo({ format: 'png' }), openContext({ source }).context).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'encode_failed', status: 500, message: expect.stringMatching(/ffmpeg wrote a file/) });
  });

  it('survives an ffmpeg that cannot be started any more', async () => {
    // The first film of a process asks ffmpeg what it has; only from the second on is it started for the film itself at once.
    await using first = await encodeVideo({ video: await makeVideo(), format: MP4, context: openContext().context });
    await first.readAll();
    const source = await fakeFfmpeg('exit 0');
    await rm(join(folder, 'ffmpeg'));
    const film = await makeVideo();
    await expect(encodeVideo({ video: film, format: MP4, context: openContext({ source }).context })).rejects.toMatchObject({
      code: 'encode_failed',
    });
    expect(film.frames.destroyed).toBe(true);
  });
});

describe('a format that the host cannot make', () => {
  const format: VideoFormat = { ...MP4, codecs: [{ ...MP4.codecs[0], encoder: 'libnothing' }] };

  it('is unavailable, and the answer says what is missing', async () => {
    const film = await makeVideo();
    const encoding = encodeVideo({ video: film, format, context: openContext().context });
    await expect(encoding).rejects.toMatchObject({ code: 'feature_unavailable', status: 501 });
    await expect(encoding).rejects.toThrow(/"mp4" needs an ffmpeg with the encoder libnothing and the container mp4.*apt-get install/);
    expect(film.frames.destroyed).toBe(true);
  });

  it('is refused before the page is loaded, where it is this render that wants it', async () => {
    const { context } = openContext();
    // That only renders of its output type ask is the scope of the tap, which the plugin contract checks.
    const plan = (kind: string) => ({ ...context, plan: { capture: { kind } } }) as typeof context;
    await expect(requireFormat(format, plan('frames'))).rejects.toMatchObject({ code: 'feature_unavailable' });
    await expect(requireFormat(format, plan('screenshot'))).resolves.toBeUndefined();
    await expect(requireFormat(MP4, plan('frames'))).resolves.toBeUndefined();
  });

  it('takes the next encoder that the host has', async () => {
    const { context } = openContext();
    const [h264] = MP4.codecs;
    await using file = await encodeVideo({ video: await makeVideo(), format: { ...MP4, codecs: [...format.codecs, h264] }, context });
    expect((await file.readAll()).includes('avc1')).toBe(true);
  });
});

it('films no more at once than there are slots, and gives up those that nobody waits for', async () => {
  const source = await fakeFfmpeg('cat >/dev/null; exit 7');
  const gate = openGate();
  const started = new Set<number>();
  const clients = Array.from({ length: 40 }, () => new AbortController());
  const films = clients.map(async ({ signal }, index) => {
    const frames = Readable.from(
      (async function* () {
        started.add(index);
        yield Buffer.from('frame');
        await gate.opened;
      })(),
    );
    const film = { ...(await makeVideo({ frameCount: 1 })), frames };
    return encodeVideo({ video: film, format: MP4, context: openContext({ source, signal }).context });
  });
  const outcomes = Promise.allSettled(films);
  for (const client of clients.slice(20)) client.abort(new PlatenError('client_closed', 'the client left'));
  await Promise.allSettled(films.slice(20));
  expect(started.size).toBeLessThan(20);
  gate.open();
  expect((await outcomes).slice(0, 20)).toEqual(
    Array(20).fill(expect.objectContaining({ reason: expect.objectContaining({ code: 'encode_failed' }) })),
  );
  expect([...started].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

function openGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}
