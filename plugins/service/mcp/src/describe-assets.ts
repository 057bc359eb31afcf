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

const MOST_OF_TYPE = 100;
const PLAIN_TYPE = /^[\w.+-]+\/[\w.+-]+/;
const PARAMETERS = /^(?:;\s*(?:charset|variant)=[\w.-]{1,20})*$/i;

/** The type of a download is the site's own text, and is shown outside of the marks: only its plain form is. */
export function showType(contentType: string): string {
  const [plain = ''] = PLAIN_TYPE.exec(contentType) ?? [];
  if (plain === '' || plain.length > MOST_OF_TYPE) return 'application/octet-stream';
  return PARAMETERS.test(contentType.slice(plain.length)) ? contentType : plain;
}

export function describeAsset(link: AssetLink, { isHttp }: { readonly isHttp: boolean }): AssetSummary {
  const { asset, expiresAt, url } = link;
  return {
    name: asset.name,
    uri: uriOf(link),
    ...(isHttp ? { download: url } : {}),
    content_type: showType(asset.contentType),
    bytes: asset.bytes,
    expires: expiresAt.toISOString(),
  };
}

export function linkResource({ uri, name, content_type: mimeType, bytes: size }: AssetSummary): ContentBlock {
  return { type: 'resource_link', uri, name, mimeType, size };
}
