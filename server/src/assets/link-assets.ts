import type { AssetStore, CollectedAssets, PublishedAsset, RenderPlan } from '@platen/kernel';
import { nameFile } from '../http/file-name.js';
import type { ServerHooks } from '../service/hooks.js';

export interface LinkParts {
  readonly store: AssetStore;
  readonly hooks: Pick<ServerHooks, 'assetLink'>;
}

/** A published asset and its address on this server: `/assets?id=...`, with a signature if links are signed. */
export interface AssetLink extends PublishedAsset {
  readonly url: string;
}

export interface AssetLinks {
  readonly links: readonly AssetLink[];
  /** Response headers about assets: `Link` (RFC 8288), and the missing assets with the reasons. */
  readonly headers: Readonly<Record<string, string>>;
  /** When the first of the links expires, in milliseconds since 1970; `Infinity` if there are none. */
  readonly expiresAt: number;
}

/** Publishes a render's assets. */
export async function linkAssets(
  { store, hooks }: LinkParts,
  plan: Pick<RenderPlan, 'url'>,
  { kept, missing }: CollectedAssets,
): Promise<AssetLinks> {
  const published = kept.length === 0 ? [] : await store.publish(kept, ({ extension }) => nameFile(plan.url, extension));
  const linked = published.map((asset) => ({ asset, query: hooks.assetLink.call(new URLSearchParams({ id: asset.asset.id }), asset) }));
  const links = linked.map(({ asset, query }) => ({ ...asset, url: `/assets?${query.toString()}` }));
  const lacking = [
    ...missing.map(({ name, reason }) => `${name};reason=${quote(reason)}`),
    ...kept.flatMap(({ name, incomplete }) => (incomplete === undefined ? [] : [`${name};partial;reason=${quote(incomplete)}`])),
  ];
  return {
    links,
    headers: {
      ...(links.length === 0 ? {} : { Link: links.map(toLink).join(', ') }),
      ...(lacking.length === 0 ? {} : { 'X-Missing-Assets': lacking.join(', ') }),
    },
    expiresAt: Math.min(...linked.map(expiryOf)),
  };
}

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
