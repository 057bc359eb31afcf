import { buffer } from 'node:stream/consumers';
import {
  INVALID_PARAMS,
  ProtocolError,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { isPlatenError, type ServerApi } from '@platen/kernel';
import { ASSET_TEMPLATE, showType } from './describe-assets.js';
import { noMemory } from './result-memory.js';
import { isText } from './text-part.js';
import { findAsset } from './tools/get-asset.js';
import { SCHEMA_URI } from './tools/input-schema.js';
import type { Caller } from './tools/tool.js';

/** Larger assets are fetched by HTTP: a message of this protocol is one text in memory. */
const MAX_RESOURCE_BYTES = 8 * 1024 * 1024;

const JSON_TYPE = 'application/json';

export const RESOURCES: readonly Resource[] = [
  {
    uri: SCHEMA_URI,
    name: 'request-schema',
    title: 'Parameters of render',
    description: 'JSON Schema of every parameter.',
    mimeType: JSON_TYPE,
  },
];

export const TEMPLATES: readonly ResourceTemplateType[] = [
  { uriTemplate: ASSET_TEMPLATE, name: 'asset', title: 'Output or asset of a render', description: 'As linked in a result.' },
];

/**
 * @throws ProtocolError if there is no such resource, or it is too large
 * @throws PlatenError `overloaded`
 */
export async function readResource(server: ServerApi, uri: string, { reserve }: Pick<Caller, 'reserve'>): Promise<ReadResourceResult> {
  if (uri === SCHEMA_URI) return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(server.kernel.schema.document) }] };
  const { asset } = await findAsset(server, uri).catch((error: unknown) => {
    throw isPlatenError(error) ? new ResourceNotFoundError(uri, error.message) : error;
  });
  if (asset.bytes > MAX_RESOURCE_BYTES) {
    const text = `the asset has ${String(asset.bytes)} bytes, more than ${String(MAX_RESOURCE_BYTES)}: fetch its "download" path by HTTP, or read a text by get_asset`;
    throw new ProtocolError(INVALID_PARAMS, text, { uri });
  }
  if (!reserve(asset.bytes)) throw noMemory();
  const bytes = await buffer(asset.open());
  const head = { uri, mimeType: showType(asset.contentType) };
  return {
    contents: [isText(asset.contentType) ? { ...head, text: bytes.toString('utf8') } : { ...head, blob: bytes.toString('base64') }],
  };
}
