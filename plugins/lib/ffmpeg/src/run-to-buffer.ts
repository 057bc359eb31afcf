import { Writable } from 'node:stream';
import { NothingWritten, runFfmpeg, type FfmpegRun } from './run-ffmpeg.js';

/** Runs ffmpeg for what it writes to its standard output; for containers that are written from front to end. */
export async function runToBuffer(run: Omit<FfmpegRun, 'target'>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const target = new Writable({
    // fluent-ffmpeg kills the process behind an output that is closed, also when it is merely complete.
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
