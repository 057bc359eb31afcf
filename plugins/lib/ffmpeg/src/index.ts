/**
 * Encodes frames by ffmpeg, for the plugins that record video; no other package uses fluent-ffmpeg.
 *
 * The output is a file without a name, since ffmpeg cannot write the fields at the front of a seekable video to a pipe.
 * `context.release()` is called with the last frame. An aborted render kills ffmpeg immediately. As many videos are encoded concurrently
 * as there are processors, at a lower priority. `requireFormat`, tapped to `beforeOpen`, reports a missing encoder before a browser
 * starts.
 *
 * @packageDocumentation
 */

import { availableParallelism } from 'node:os';
import { ConcurrencyLimiter, isDiskFull, isPlatenError, PlatenError, TEMPORARY_DISK, type EncodeContext } from '@platen/kernel';
import { openScratchFile, type ScratchFile } from '@platen/lib-spool';
import { readFrames, type FrameSequence } from './frame-sequence.js';
import { FfmpegError, NothingWritten, runFfmpeg } from './run-ffmpeg.js';
import { formatArguments, openFormat, type VideoFormat, type ReadyFormat } from './video-format.js';

export { readFrames, type FrameSequence } from './frame-sequence.js';
export { formatArguments, openFormat, requireFormat, type VideoCodec, type VideoFormat, type ReadyFormat } from './video-format.js';
export { runToBuffer, type FfmpegRun } from './run-ffmpeg.js';
export { colorFilter, frameFilters, H264, VIDEO_COLORS, videoFilters, VP8, VP9 } from './video-filters.js';

/** The input of an encoder, and its client. */
export interface VideoJob {
  readonly video: FrameSequence;
  readonly format: VideoFormat;
  readonly context: Pick<EncodeContext, 'get' | 'log' | 'release' | 'signal'>;
}

/** One set for the process: a video keeps the browser and ffmpeg busy at the same time, with about one processor each. */
const slots = new ConcurrencyLimiter(Math.max(2, availableParallelism()));

/**
 * Encodes a video into a file while its frames arrive. The file is complete when this resolves: the index and duration at the front of a
 * seekable video cannot be written to a pipe. Rejects with `feature_unavailable`, `encode_failed`, or the error of the frame stream.
 */
export function encodeVideo(job: VideoJob): Promise<ScratchFile> {
  return withFfmpeg(job, async (ready) => {
    const { video, context } = job;
    const file = await openScratchFile();
    try {
      await runFfmpeg({
        path: ready.ffmpeg.path,
        video,
        frames: readFrames(video, context.release),
        output: ['-vf', ready.codec.filters(video).join(','), ...formatArguments(ready, video)],
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

/** Runs an encoder when a slot is free. On failure, ends the capture and throws one of Platen's errors. */
export async function withFfmpeg<T>({ video, format, context }: VideoJob, work: (ready: ReadyFormat) => Promise<T>): Promise<T> {
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
    video.frames.destroy();
  }
}

/** The part of the error that the client may see. */
function whyOf(cause: unknown): string {
  if (isDiskFull(cause)) return `: ${TEMPORARY_DISK} is full`;
  return cause instanceof NothingWritten ? `: ${cause.message}` : '';
}
