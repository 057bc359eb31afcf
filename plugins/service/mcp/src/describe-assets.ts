import type { ContentBlock } from '@modelcontextprotocol/server';
import type { PublishedAsset, ServerApi } from '@platen/kernel';
import type {} from '@platen/server';

const PREFIX = 'platen://asset/';

export const ASSET_TEMPLATE = `${PREFIX}{id}`;

export interface AssetSummary {
  readonly name: string;
  /** For `resources/read` and the tool `get_asset`. */
  readonly uri: string;
  /** A path of this server, if the client came by HTTP. */
  readonly download?: string;
  readonly content_type: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly expires: string;
}

export type AssetLink = Awaited<ReturnType<ServerApi['assets']['link']>>['links'][number];

export function uriOf({ asset }: Pick<PublishedAsset, 'asset'>): string {
  return `${PREFIX}${asset.id}`;
}

/** The id in the URI of an asset; undefined if it is another URI. */
export function assetIdOf(uri: string): string | undefined {
  return uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : undefined;
}

export function describeAsset(link: AssetLink, { isHttp }: { readonly isHttp: boolean }): AssetSummary {
  const { asset, expiresAt, url } = link;
  return {
    name: asset.name,
    uri: uriOf(link),
    ...(isHttp ? { download: url } : {}),
    content_type: asset.contentType,
    bytes: asset.bytes,
    expires: expiresAt.toISOString(),
  };
}

export function linkResource({ uri, name, content_type: mimeType, bytes: size }: AssetSummary): ContentBlock {
  return { type: 'resource_link', uri, name, mimeType, size };
}
