import type { AssetStore, CollectedAssets, PublishedAsset, RenderPlan } from '@platen/kernel';
import { nameFile } from '../http/file-name.js';
import type { ServerHooks } from '../service/hooks.js';

export interface LinkParts {
  readonly store: AssetStore;
  readonly hooks: Pick<ServerHooks, 'assetLink'>;
}

/** Publishes a render's assets. Answers the headers that tell of them: `Link` (RFC 8288), and what is missing and why. */
export async function linkAssets(
  { store, hooks }: LinkParts,
  plan: RenderPlan,
  { kept, missing }: CollectedAssets,
): Promise<Readonly<Record<string, string>>> {
  const published = kept.length === 0 ? [] : await store.publish(kept, ({ extension }) => nameFile(plan.url, extension));
  const links = published.map((asset) => toLink(asset, hooks.assetLink.call(new URLSearchParams({ id: asset.asset.id }), asset)));
  const lacking = [
    ...missing.map(({ name, reason }) => `${name};reason=${quote(reason)}`),
    ...kept.flatMap(({ name, incomplete }) => (incomplete === undefined ? [] : [`${name};partial;reason=${quote(incomplete)}`])),
  ];
  return {
    ...(links.length === 0 ? {} : { Link: links.join(', ') }),
    ...(lacking.length === 0 ? {} : { 'X-Missing-Assets': lacking.join(', ') }),
  };
}

function toLink({ asset: { contentType, name } }: PublishedAsset, query: URLSearchParams): string {
  return `</assets?${query.toString()}>; rel="related"; type=${quote(contentType)}; title=${quote(name)}`;
}

/** A string of structured fields (RFC 9651): printable ASCII. */
function quote(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]/gu, '?').replace(/["\\]/g, '\\$&')}"`;
}
