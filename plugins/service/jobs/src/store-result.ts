import { type CollectedAssets, isDiskFull, isPlatenError, NO_ASSETS, PlatenError, type RenderPlan, type ServerApi } from '@platen/kernel';
import type { JobResult } from './job.js';

type Assets = ServerApi['assets'];
type Render = Awaited<ReturnType<ServerApi['render']>>;

/** Name of the asset that is the output. */
const OUTPUT = 'output';

/** Stores the output of a render as an asset, and links it and the additional assets. If this rejects, none of them remains. */
export async function storeResult(
  assets: Assets,
  { plan, output, assets: made, headers }: Render,
  signal: AbortSignal,
): Promise<JobResult> {
  const { contentType, extension, body } = output;
  const stored = await assets.put({ name: OUTPUT, contentType, extension }, body, signal).catch(async (cause: unknown) => {
    if (!Buffer.isBuffer(body)) body.destroy();
    await assets.discard(made.kept);
    throw isDiskFull(cause) ? new PlatenError('encode_failed', 'the output could not be stored: the disk is full', { cause }) : cause;
  });
  const linked = await link(assets, plan, { kept: [stored, ...made.kept], missing: made.missing });
  const [first, ...others] = linked.assets;
  const { name: _output, ...rest } = first ?? { name: '', url: '', content_type: contentType, bytes: stored.bytes };
  return { output: rest, assets: others, headers: { ...headers, ...linked.headers } };
}

/** Links the assets of a failed render. */
export async function storeAssets(assets: Assets, plan: RenderPlan | undefined, error: unknown): Promise<JobResult> {
  if (plan === undefined || !isPlatenError(error)) return {};
  return await link(assets, plan, error.assets ?? NO_ASSETS);
}

async function link(
  assets: Assets,
  plan: RenderPlan,
  collected: CollectedAssets,
): Promise<Required<Pick<JobResult, 'assets' | 'headers'>>> {
  const { links, headers } = await assets.link(plan, collected);
  const { Link: _link, ...others } = headers;
  const toAsset = ({ url, asset }: (typeof links)[number]) => ({
    name: asset.name,
    url,
    content_type: asset.contentType,
    bytes: asset.bytes,
  });
  return { assets: links.map(toAsset), headers: others };
}
