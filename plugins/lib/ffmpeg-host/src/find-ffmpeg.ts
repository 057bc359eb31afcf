import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from '@platen/kernel';

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
export async function findFfmpeg({ path, installation = CLONE, env = process.env }: FindOptions = {}): Promise<string | undefined> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = path === undefined ? [...folders, join(installation, '.runtime', 'ffmpeg')].map((folder) => join(folder, NAME)) : [path];
  for (const place of places) if (await isExecutable(place)) return place;
  return undefined;
}

const CLONE = fileURLToPath(new URL('../../../..', import.meta.url));
