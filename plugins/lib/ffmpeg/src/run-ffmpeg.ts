import { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { reasonOf } from '@platen/kernel';
import type { FfmpegCommand } from 'fluent-ffmpeg';
import type { FrameSequence } from './frame-sequence.js';

export interface FfmpegRun {
  /** Path of the program. */
  readonly path: string;
  readonly video: Pick<FrameSequence, 'format' | 'container' | 'framerate'>;
  readonly frames: AsyncIterable<Buffer>;
  /** More inputs: files or URLs that need no network. */
  readonly inputs?: readonly string[];
  /** Arguments of the output. */
  readonly output: readonly string[];
  /** A file, or a stream that receives ffmpeg's standard output. */
  readonly target: string | Writable;
  /** Kills ffmpeg immediately: its output is discarded. */
  readonly signal: AbortSignal;
}

/** ffmpeg ended early, exited with an error code, or reported an incomplete file. */
export class FfmpegError extends Error {
  override readonly name = 'FfmpegError';
  /** The last lines of ffmpeg's log. */
  readonly stderr: string;

  constructor(message: string, stderr: string) {
    super(message);
    this.stderr = stderr;
  }
}

/** ffmpeg exited successfully without any output. */
export class NothingWritten extends FfmpegError {
  constructor(stderr = '') {
    super('ffmpeg wrote nothing', stderr);
  }
}

/**
 * Pipes frames to ffmpeg. Rejects with the frames' error if the stream fails, with the signal's reason if it is aborted, else with an
 * `FfmpegError`.
 */
export async function runFfmpeg({ path, video, frames, inputs = [], output, target, signal }: FfmpegRun): Promise<void> {
  const { default: createCommand } = await import('fluent-ffmpeg');
  signal.throwIfAborted();
  const source = Readable.from(frames);
  const command = createCommand({ stdoutLines: STDERR_LINES, presets: NO_PRESETS }).setFfmpegPath(path);
  surviveSpawnFailure(command);
  command.input(source).inputOptions(...QUIET, ...frameOptions(video));
  for (const input of inputs) command.input(input);
  command.output(target).outputOptions(...output);
  const abort = () => command.kill('SIGKILL');
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.all([outcomeOf(command, signal), target instanceof Writable ? finish(target, signal) : undefined]);
    if (typeof target === 'string' && (await stat(target)).size === 0) throw new NothingWritten();
  } finally {
    signal.removeEventListener('abort', abort);
    source.destroy();
    await exited(command);
  }
}

const STDERR_LINES = 30;

/** Not used: without a configured directory fluent-ffmpeg looks beside its own file, which does not exist in a bundle. */
const NO_PRESETS = 'none';

const QUIET = ['-hide_banner', '-nostdin', '-loglevel', 'warning'] as const;

function frameOptions({ format, container, framerate }: Pick<FrameSequence, 'format' | 'container' | 'framerate'>): readonly string[] {
  if (container !== undefined) return ['-f', container];
  const decoder = format === 'jpeg' ? 'mjpeg' : 'png';
  return ['-f', 'image2pipe', '-c:v', decoder, '-framerate', String(framerate)];
}

/** If only the end of a file cannot be written, ffmpeg 5 logs an error but exits with code 0. */
const UNWRITTEN = /^(?:Error (?:writing trailer|closing file)|av_interleaved_write_frame\(\):)/m;

function outcomeOf(command: FfmpegCommand, signal: AbortSignal): Promise<void> {
  let failed = false;
  return new Promise((resolve, reject) => {
    command
      .on('start', () => {
        yieldToOthers(command);
        // The frames may have failed before there was a process to kill.
        if (signal.aborted || failed) command.kill('SIGKILL');
      })
      .on('end', (_stdout, stderr) => {
        if (UNWRITTEN.test(stderr ?? '')) reject(new FfmpegError('ffmpeg could not write all of its output', stderr ?? ''));
        else resolve();
      })
      .on('error', (error: Error & { readonly inputStreamError?: Error }, _stdout, stderr) => {
        failed = true;
        command.kill('SIGKILL');
        if (signal.aborted) reject(reasonOf(signal));
        else reject(error.inputStreamError ?? new FfmpegError(error.message, stderr ?? ''));
      })
      .run();
  });
}

function finish(target: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    target.once('finish', resolve).once('error', reject);
    signal.addEventListener(
      'abort',
      () => {
        reject(reasonOf(signal));
      },
      { once: true },
    );
  });
}

/** The server and the browsers have priority: a slow encoder delays one response, they delay all. */
function yieldToOthers(command: FfmpegCommand): void {
  const pid = childOf(command)?.pid;
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has exited already.
  }
}

/** Callers rely on this: when the promise settles, the process has exited and its files are closed. */
async function exited(command: FfmpegCommand): Promise<void> {
  const child = childOf(command);
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Internal to fluent-ffmpeg; its types omit it. */
function childOf(command: FfmpegCommand): ChildProcess | undefined {
  const child: unknown = Reflect.get(command, 'ffmpegProc');
  return child instanceof ChildProcess ? child : undefined;
}

/**
 * If a process cannot be started at all, fluent-ffmpeg reads its missing output in an event handler whose error cannot be caught: it gets
 * an empty output.
 */
function surviveSpawnFailure(command: FfmpegCommand): void {
  const spawn: unknown = Reflect.get(command, '_spawnFfmpeg');
  if (typeof spawn !== 'function') return;
  Reflect.set(command, '_spawnFfmpeg', (...args: readonly unknown[]) => {
    const done = args.at(-1);
    if (typeof done !== 'function') return;
    const end = (error: unknown, stdout: unknown = NO_LINES, stderr: unknown = NO_LINES): unknown =>
      Reflect.apply(done, undefined, [error, stdout, stderr]);
    try {
      Reflect.apply(spawn, command, [...args.slice(0, -1), end]);
    } catch (error) {
      end(error);
    }
  });
}

const NO_LINES = { get: () => '' };

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
