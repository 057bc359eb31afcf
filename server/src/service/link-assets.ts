import {
  isPlatenError,
  type AssetStore,
  type CollectedAssets,
  type Logger,
  type MissingAsset,
  type PublishedAsset,
  type RenderPlan,
  type StoredAsset,
} from '@platen/kernel';
import { nameFile } from './file-name.js';
import type { ServerHooks } from './hooks.js';
import type { Problem } from './problem.js';

export interface LinkParts {
  readonly store: AssetStore;
  readonly hooks: Pick<ServerHooks, 'assetLink'>;
  readonly log: Logger;
  /** The startup flags, of which `--server-public-url` is read. */
  readonly flags: Readonly<Record<string, unknown>>;
}

/** The address of a path of this server for clients: absolute where `--server-public-url` says how they reach it. */
export function toPublicUrl({ 'server-public-url': base }: LinkParts['flags'], path: string): string {
  return typeof base === 'string' ? `${base.replace(/\/+$/, '')}${path}` : path;
}

/** A published asset and its address on this server: `/assets?id=...`, with a signature if links are signed. */
export interface AssetLink extends PublishedAsset {
  readonly url: string;
}

export interface AssetLinks {
  readonly links: readonly AssetLink[];
  readonly missing: readonly MissingAsset[];
  /** Response headers about assets: `Link` (RFC 8288), and the missing assets with the reasons. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the first of the links expires, in milliseconds since 1970; `Infinity` if there are none. */
  readonly expiresAt: number;
}

/** Publishes a render's assets. An asset that cannot be published is missing. */
export async function linkAssets(
  parts: LinkParts,
  plan: Pick<RenderPlan, 'url'>,
  { kept, missing: absent }: CollectedAssets,
): Promise<AssetLinks> {
  const { hooks } = parts;
  const outcomes = await Promise.all(kept.map((asset) => publish(asset, plan, parts)));
  const published = outcomes.filter((one) => 'asset' in one);
  const missing = [...absent, ...outcomes.filter((one) => 'reason' in one)];
  const linked = published.map((asset) => ({ asset, query: hooks.assetLink.call(new URLSearchParams({ id: asset.asset.id }), asset) }));
  const links = linked.map(({ asset, query }) => ({ ...asset, url: toPublicUrl(parts.flags, `/assets?${query.toString()}`) }));
  const lacking = [
    ...missing.map(({ name, reason }) => `${name};reason=${quote(reason)}`),
    ...published.flatMap(({ asset: { name, incomplete } }) =>
      incomplete === undefined ? [] : [`${name};partial;reason=${quote(incomplete)}`],
    ),
  ];
  return {
    links,
    missing,
    headers: {
      ...(links.length === 0 ? {} : { Link: links.map(toLink).join(', ') }),
      ...(lacking.length === 0 ? {} : { 'X-Missing-Assets': lacking.join(', ') }),
    },
    expiresAt: Math.min(...linked.map(expiryOf)),
  };
}

/** The members of a problem that link to what the failed render has left. */
export function toAssetMembers({ links, missing }: AssetLinks): Pick<Problem, 'assets' | 'missing_assets'> {
  const assets = links.map(({ url, asset: { name, contentType, bytes } }) => ({ name, url, content_type: contentType, bytes }));
  return { ...(assets.length === 0 ? {} : { assets }), ...(missing.length === 0 ? {} : { missing_assets: missing }) };
}

async function publish(
  asset: StoredAsset,
  plan: Pick<RenderPlan, 'url'>,
  { store, log }: LinkParts,
): Promise<PublishedAsset | MissingAsset> {
  const { name } = asset;
  try {
    const [published] = await store.publish([asset], ({ extension }) => nameFile(plan.url, extension));
    return published ?? { name, reason: NOT_PUBLISHED };
  } catch (error) {
    log.warn({ err: error, asset: name }, 'an additional asset could not be published');
    return { name, reason: isPlatenError(error) && error.expose ? error.message : NOT_PUBLISHED };
  }
}

const NOT_PUBLISHED = 'it could not be published';

/** A signature may expire before the asset does. */
function expiryOf({ asset, query }: { readonly asset: PublishedAsset; readonly query: URLSearchParams }): number {
  const expires = query.get('expires');
  return Math.min(asset.expiresAt.getTime(), expires === null ? Infinity : Number(expires) * 1000);
}

function toLink({ asset: { contentType, name }, url }: AssetLink): string {
  return `<${url}>; rel="related"; type=${quote(contentType)}; title=${quote(name)}`;
}

/** A string of structured fields (RFC 9651): printable ASCII. */
function quote(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/gu, '?').replace(/["\\]/g, '\\$&')}"`;
}
