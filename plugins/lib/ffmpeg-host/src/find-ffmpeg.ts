import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from '@platen/kernel';

export interface FindOptions {
  /** What the operator named (`--ffmpeg-path`): nothing else is looked for then. */
  readonly path?: string | undefined;
  /** Folder that holds `.runtime/ffmpeg/`, the ffmpeg that came by npm. Default: the clone that this package is part of. */
  readonly installation?: string;
  readonly env?: NodeJS.ProcessEnv;
}

const NAME = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';

/** Path of the ffmpeg to run: the named one, else the first in `PATH`, else the one that the set-up got by npm; undefined: none. */
export async function findFfmpeg({ path, installation = CLONE, env = process.env }: FindOptions = {}): Promise<string | undefined> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = path === undefined ? [...folders, join(installation, '.runtime', 'ffmpeg')].map((folder) => join(folder, NAME)) : [path];
  for (const place of places) if (await isExecutable(place)) return place;
  return undefined;
}

const CLONE = fileURLToPath(new URL('../../../..', import.meta.url));
