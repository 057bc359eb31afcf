import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { EncodeContext, EncodedOutput } from '@platen/kernel';
import type { FramesCapture } from '@platen/plugin-frames';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { encodeApng } from '../../../../plugins/output/apng/src/index.js';
import { encodeAvif } from '../../../../plugins/output/image/src/avif.js';
import { encodeMkv } from '../../../../plugins/output/video/src/mkv.js';
import { encodeMp4 } from '../../../../plugins/output/video/src/mp4.js';
import { encodeWebm } from '../../../../plugins/output/video/src/webm.js';
import { encodeWebp } from '../../../../plugins/output/image/src/webp.js';
import { mountSmallDisk, NEEDS_MOUNT, type SmallDisk } from '../../../helpers/small-disk.js';
import { makeVideo, openContext } from '../../output/videos.js';

const probe = mountSmallDisk(64 * 1024);
probe?.[Symbol.dispose]();

type Encode = (film: FramesCapture, context: EncodeContext) => Promise<EncodedOutput | Buffer>;
const ENCODERS: Readonly<Record<string, Encode>> = {
  ...{ mp4: encodeMp4, mkv: encodeMkv, webm: encodeWebm },
  ...{ webp: encodeWebp, avif: encodeAvif, apng: encodeApng },
};

const FULL = /^the \w+ could not be encoded: the disk that holds the temporary folder of the server is full$/;

describe.skipIf(probe === undefined)(`a temporary folder without room (${NEEDS_MOUNT})`, () => {
  let disk: SmallDisk;
  beforeEach(() => {
    const mounted = mountSmallDisk(64 * 1024);
    if (mounted === undefined) throw new Error(NEEDS_MOUNT);
    disk = mounted;
    vi.stubEnv('TMPDIR', disk.path);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    disk[Symbol.dispose]();
  });

  it.each(Object.entries(ENCODERS))('the %s is not answered cut off: the answer says that the disk is full', async (_type, encode) => {
    expect(tmpdir()).toBe(disk.path);
    await disk.fillTo(0);
    const { context } = openContext();
    const failure = await encode(await makeVideo({ format: 'png' }), context).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'encode_failed', status: 500, message: expect.stringMatching(FULL) });
    expect(readdirSync(disk.path)).toEqual(['filler']);
  });
});
