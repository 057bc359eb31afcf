import { Writable } from 'node:stream';
import { NothingWritten, runFfmpeg, type FfmpegRun } from './run-ffmpeg.js';

/** Runs ffmpeg and returns its standard output; for containers that are written sequentially. */
export async function runToBuffer(run: Omit<FfmpegRun, 'target'>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const target = new Writable({
    // fluent-ffmpeg kills the process when its output is closed, even if the output is complete.
    autoDestroy: false,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await runFfmpeg({ ...run, target });
  if (chunks.length === 0) throw new NothingWritten();
  return Buffer.concat(chunks);
}
