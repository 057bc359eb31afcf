import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { DISTANCE, EFFORT, type EncodeOptions } from './jxl-settings.js';
import { runEncoder } from './run-encoder.js';

/** libjxl's own program. It seeks in its input, so it reads files. */
export async function encodeByCjxl(png: Buffer | Readable, { signal }: EncodeOptions): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-jxl-'));
  try {
    const [source, target] = [join(folder, 'page.png'), join(folder, 'page.jxl')];
    await writeFile(source, png, signal === undefined ? {} : { signal });
    const settings = ['--distance', String(DISTANCE), '--effort', String(EFFORT), '--num_threads', '0', '--quiet'];
    await runEncoder({ program: 'cjxl', args: [source, target, ...settings], signal });
    return await readFile(target);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
