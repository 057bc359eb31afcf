import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { contextKey, PlatenError } from '@platen/kernel';
import { findFfmpeg, type FindOptions } from './find-ffmpeg.js';

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
    const where = options.path === undefined ? `it is not in PATH: ${ADVICE}` : `--ffmpeg-path names no program: ${CORRECT}`;
    throw new PlatenError('feature_unavailable', `this output needs ffmpeg, and ${where}`);
  }
  const ask = (question: string) => promisify(execFile)(path, ['-hide_banner', question], { timeout: 10_000, maxBuffer: 2 ** 24 });
  try {
    const [version, encoders, muxers] = await Promise.all([ask('-version'), ask('-encoders'), ask('-muxers')]);
    const [, named] = /^ffmpeg version (\S+)/m.exec(version.stdout) ?? [];
    if (named === undefined) throw new Error('the program does not say that it is an ffmpeg');
    return {
      path,
      version: named,
      encoders: namesIn(encoders.stdout),
      muxers: namesIn(muxers.stdout),
    };
  } catch (cause) {
    throw new PlatenError(
      'feature_unavailable',
      `this output needs ffmpeg, and ${options.path === undefined ? `the one that was found does not run: ${ADVICE}` : `the program of --ffmpeg-path does not run as one: ${CORRECT}`}`,
      {
        cause,
      },
    );
  }
}

export const ADVICE = 'install it on the server ("apt-get install ffmpeg"; "platen doctor" says what else helps)';

/** If a path is configured, no other ffmpeg is searched for. */
const CORRECT = 'correct --ffmpeg-path on the server, or leave it out to have one looked for';

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
