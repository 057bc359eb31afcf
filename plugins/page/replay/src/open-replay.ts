import { type BaseRenderContext, invalidParameter, type Outbound, outboundThrough } from '@platen/kernel';
import { NotAnArchive, openArchive } from '@platen/lib-archive';
import { loadRequestSource } from '@platen/lib-sources';
import { readMoment, toDigits } from './moment.js';
import type { ReplayParams } from './params.js';
import { Replay } from './replay.js';

export interface OpenOptions {
  readonly outbound: Outbound;
  readonly maxBytes: number;
}

/** Loads and opens the archive of a render. It is closed when the render ends, also if it fails. */
export async function openReplay(
  context: BaseRenderContext<ReplayParams & { readonly replay: string }>,
  { outbound, maxBytes }: OpenOptions,
): Promise<Replay> {
  const { params, plan, signal, log, findAsset, resolveLocalPath, onRenderEnd } = context;
  const through = outboundThrough(plan.browser.proxy, outbound);
  const source = await loadRequestSource(params.replay, {
    key: 'replay',
    outbound: through,
    maxBytes,
    signal,
    findAsset,
    resolveLocalPath,
  });
  const opening = openArchive(source.file, { signal, sha256: source.sha256 });
  onRenderEnd(async () => {
    await opening.then((archive) => archive.close()).catch(() => undefined);
    await source.remove();
  });
  const archive = await opening.catch((cause: unknown) => {
    if (!(cause instanceof NotAnArchive)) throw cause;
    throw invalidParameter('replay', `"replay" must be a WACZ, WARC or HAR file: ${source.name} is ${cause.message}`);
  });
  const { replay_at: at, replay_match: match = 'fuzzy' } = params;
  const moment = at === undefined ? undefined : readMoment(at);
  return new Replay({ archive, name: source.name, match, at: moment === undefined ? undefined : toDigits(moment), signal, log });
}
