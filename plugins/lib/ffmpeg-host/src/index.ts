/**
 * Finds the host's ffmpeg, its version, encoders and containers; no other package looks for it. Its only dependency is the kernel, so that
 * looking for ffmpeg does not install a library that runs it. `FFMPEG` is the context key under which the plugin `ffmpeg` provides it.
 *
 * @packageDocumentation
 */

import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { contextKey, INSTALLATION, isExecutable, PlatenError } from '@platen/kernel';

/** This host's ffmpeg and its build options. */
export interface Ffmpeg {
  readonly path: string;
  /** In ffmpeg's own format: `5.1.9-0+deb12u1`. */
  readonly version: string;
  readonly encoders: ReadonlySet<string>;
  readonly muxers: ReadonlySet<string>;
}

/** Looks for ffmpeg at the first call; if it is missing, looks again at the next call. Rejects with `feature_unavailable`. */
export type FfmpegSource = () => Promise<Ffmpeg>;

/** Set by the plugin `ffmpeg` for every render. */
export const FFMPEG = contextKey<FfmpegSource>('ffmpeg');

export function createFfmpegSource(options: FindOptions = {}): FfmpegSource {
  let known: Promise<Ffmpeg> | undefined;
  const look = async (): Promise<Ffmpeg> => {
    try {
      return await openFfmpeg(options);
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
  return () => (known ??= look());
}

async function openFfmpeg(options: FindOptions): Promise<Ffmpeg> {
  const path = await findFfmpeg(options);
  if (path === undefined) {
    const where = options.path === undefined ? `it is not in PATH: ${ADVICE}` : `--ffmpeg-path does not name a program: ${CORRECT}`;
    throw new PlatenError('feature_unavailable', `this output needs ffmpeg, and ${where}`);
  }
  const ask = (question: string) => promisify(execFile)(path, ['-hide_banner', question], { timeout: 10_000, maxBuffer: 2 ** 24 });
  try {
    const [version, encoders, muxers] = await Promise.all([ask('-version'), ask('-encoders'), ask('-muxers')]);
    const [, named] = /^ffmpeg version (\S+)/m.exec(version.stdout) ?? [];
    if (named === undefined) throw new Error('the program does not identify itself as ffmpeg');
    return {
      path,
      version: named,
      encoders: namesIn(encoders.stdout),
      muxers: namesIn(muxers.stdout),
    };
  } catch (cause) {
    const who = options.path === undefined ? 'the installed ffmpeg does not run' : 'the program of --ffmpeg-path does not run as ffmpeg';
    const fix = options.path === undefined ? ADVICE : CORRECT;
    throw new PlatenError('feature_unavailable', `this output needs ffmpeg, and ${who}: ${fix}`, { cause });
  }
}

export const ADVICE = 'install it on the server ("apt-get install ffmpeg"; "platen doctor" lists alternatives)';

/** If a path is configured, no other ffmpeg is searched for. */
const CORRECT = 'correct --ffmpeg-path on the server, or omit it to search for ffmpeg';

/**
 * Parses a table that ffmpeg prints: a legend, a line of dashes, then one line each with flags, name and description. If there are several
 * names, the first counts.
 */
function namesIn(table: string): ReadonlySet<string> {
  const rows = table
    .slice(table.search(/^ *-+$/m))
    .split('\n')
    .slice(1);
  return new Set(rows.map((row) => /^ *\S+ +([^ ,]+)/.exec(row)?.[1]).filter((name) => name !== undefined));
}

export interface FindOptions {
  /** The path that the operator configured (`--ffmpeg-path`): no other path is searched. */
  readonly path?: string | undefined;
  /** Directory with `.runtime/ffmpeg/`, the ffmpeg installed by npm. Default: the clone that contains this package. */
  readonly installation?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const NAME = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';

/**
 * Path of the ffmpeg to run: the configured one, else the first in `PATH`, else the one that the setup installed from npm. Undefined: none.
 */
export async function findFfmpeg({ path, installation = INSTALLATION, env = process.env }: FindOptions = {}): Promise<string | undefined> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = path === undefined ? [...folders, join(installation, '.runtime', 'ffmpeg')].map((folder) => join(folder, NAME)) : [path];
  for (const place of places) if (await isExecutable(place)) return place;
  return undefined;
}
