import { basename, dirname, extname, join, resolve } from 'node:path';
import type { CollectedAssets, RenderPlan, StoredAsset } from '@platen/kernel';
import { nameFile } from '../http/file-name.js';
import type { Io } from './io.js';
import { hasPlaceBeside, writeToFile } from './write-output.js';

/**
 * Writes each additional asset beside the output file (`page.png`, `page.har`) and reports it. If the output is stdout, a device or a pipe,
 * it uses the current folder and the page's name. Also reports assets that are missing or incomplete.
 */
export async function writeAssets(
  { kept, missing }: CollectedAssets,
  plan: RenderPlan,
  { file, io }: { file: string; io: Io },
): Promise<void> {
  const beside = file !== '-' && (await hasPlaceBeside(resolve(io.cwd, file))) ? file : undefined;
  const taken = new Set([file]);
  for (const asset of kept) {
    const name = nameAsset(asset, { plan, beside, taken });
    taken.add(name);
    const bytes = await writeToFile({ body: asset.open() }, resolve(io.cwd, name));
    io.stderr.write(`${name} (${String(bytes)} bytes)\n`);
    if (asset.incomplete !== undefined) io.stderr.write(`${name} is incomplete: ${asset.incomplete}\n`);
  }
  for (const { name, reason } of missing) io.stderr.write(`${name} is missing: ${reason}\n`);
}

interface Beside {
  readonly plan: RenderPlan;
  /** The output file; undefined if no file can be stored beside it. */
  readonly beside: string | undefined;
  readonly taken: ReadonlySet<string>;
}

function nameAsset({ name, extension }: StoredAsset, { plan, beside, taken }: Beside): string {
  if (beside === undefined) return nameFile(plan.url, extension);
  const stem = join(dirname(beside), basename(beside, extname(beside)));
  const plain = `${stem}.${extension}`;
  return taken.has(plain) ? `${stem}.${name}.${extension}` : plain;
}
