import { availableParallelism } from 'node:os';
import { isPlatenError, PlatenError, type EncodeContext } from '@platen/kernel';
import { createSlots } from '@platen/lib-slots';
import { DISK_FULL, isDiskFull, openScratchFile, type ScratchFile } from '@platen/lib-spool';
import { readFrames, type FrameSequence } from './frame-sequence.js';
import { formatArguments, openFormat, type VideoFormat, type ReadyFormat } from './video-format.js';
import { FfmpegError, NothingWritten, runFfmpeg } from './run-ffmpeg.js';

/** What an encoder is asked to make, and for whom. */
export interface VideoJob {
  readonly film: FrameSequence;
  readonly format: VideoFormat;
  readonly context: Pick<EncodeContext, 'get' | 'log' | 'release' | 'signal'>;
}

/** The process's one set: a film keeps the browser and ffmpeg busy at the same time, about a processor each. */
const slots = createSlots(Math.max(2, availableParallelism()));

/**
 * Encodes a film as its frames come, into a file that is whole when this resolves: an index and a duration at the front, as a
 * seekable film has them, cannot be written to a pipe. Rejects with `feature_unavailable`, `encode_failed`, or what ended the frames.
 */
export function encodeVideo(job: VideoJob): Promise<ScratchFile> {
  return withFfmpeg(job, async (ready) => {
    const { film, context } = job;
    const file = await openScratchFile();
    try {
      await runFfmpeg({
        path: ready.ffmpeg.path,
        film,
        frames: readFrames(film, context.release),
        output: ['-vf', ready.codec.filters(film).join(','), ...formatArguments(ready, film)],
        target: file.path,
        signal: context.signal,
      });
      return file;
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  });
}

/** Runs an encoder in its turn; ends the capture, and answers with an error of Platen's, where it fails. */
export async function withFfmpeg<T>({ film, format, context }: VideoJob, work: (ready: ReadyFormat) => Promise<T>): Promise<T> {
  const { signal, log } = context;
  try {
    const ready = await openFormat(format, context);
    return await slots.run(() => work(ready), signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (isPlatenError(cause)) throw cause;
    if (cause instanceof FfmpegError) log.error({ output: format.type, reason: cause.message, stderr: cause.stderr }, 'ffmpeg failed');
    throw new PlatenError('encode_failed', `the ${format.type} could not be encoded${whyOf(cause)}`, { cause });
  } finally {
    film.frames.destroy();
  }
}

/** What the client may know of it. */
function whyOf(cause: unknown): string {
  if (isDiskFull(cause)) return `: ${DISK_FULL}`;
  return cause instanceof NothingWritten ? `: ${cause.message}` : '';
}
