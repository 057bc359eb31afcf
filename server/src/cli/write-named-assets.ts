import { mkdir } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { RenderOptions } from '@platen/kernel';
import type { Io } from '../boot/io.js';
import { nameFile } from '../service/file-name.js';
import { toOutputError, writeToFile } from './write-output.js';

/** The files of assets that an output names. */
export interface NamedAssets {
  /** Writes the asset to a file, whose path beside the output file is its name in the output. */
  readonly publish: NonNullable<RenderOptions['publishAsset']>;
  /** Reports the folder, if there is one. */
  report(): void;
}

/**
 * Writes the assets that an output names into a folder beside it, which is created with the first: `site.assets/ID.png` for `site.jsonl`. If the
 * output is not a file, the folder has the name of the target.
 */
export function createNamedAssets({
  file,
  url,
  io,
}: {
  readonly file: string | undefined;
  readonly url: string;
  readonly io: Io;
}): NamedAssets {
  const beside = file ?? nameFile(url, 'assets');
  const name = `${basename(beside, extname(beside))}.assets`;
  const folder = resolve(io.cwd, dirname(beside), name);
  let count = 0;
  return {
    async publish(asset, _url, store) {
      await mkdir(folder, { recursive: true }).catch((error: unknown) => {
        throw toOutputError(error, folder);
      });
      const path = `${asset.id}.${asset.extension}`;
      await writeToFile({ body: asset.open() }, join(folder, path));
      await store.discard([asset]);
      count += 1;
      return `${name}/${path}`;
    },
    report() {
      if (count > 0) io.stderr.write(`${join(dirname(beside), name)} (${String(count)} files)\n`);
    },
  };
}
