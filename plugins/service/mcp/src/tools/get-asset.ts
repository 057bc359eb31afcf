import { buffer } from 'node:stream/consumers';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { invalidParameter, PlatenError, type PublishedAsset, type ServerApi } from '@platen/kernel';
import { assetIdOf, describeAsset, linkResource, showType, uriOf } from '../describe-assets.js';
import { isInlineImage, rangeOf, toResult } from '../present-output.js';
import { noMemory } from '../result-memory.js';
import { fence, isText, readPart, sizeOfPart } from '../text-part.js';
import { readTokens, unknownArgument } from './call-render.js';
import { MAX_TOKENS } from './input-schema.js';
import type { Arguments, Caller, Tool } from './tool.js';

const NAME = 'get_asset';

/** Returns a part of a text that was cut, or an asset of a render. */
export function createGetAsset(server: ServerApi): Tool {
  return {
    definition: {
      name: NAME,
      description: 'Returns the next part of a text that was cut, or an asset of an earlier result.',
      inputSchema: {
        type: 'object',
        properties: {
          uri: { type: 'string', description: 'A uri in an earlier result.' },
          offset: { type: 'integer', minimum: 0, default: 0, description: 'First byte of a text: next_offset of the result before.' },
          max_tokens: MAX_TOKENS,
        },
        required: ['uri'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async call(args, { caller }) {
      const { uri, offset, maxTokens } = readArguments(args);
      return await presentAsset(await findAsset(server, uri), { offset, maxTokens, ...caller });
    },
  };
}

function readArguments(args: Arguments) {
  const names = ['uri', 'offset', 'max_tokens'];
  const unknown = Object.keys(args).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownArgument(unknown, { tool: NAME, names });
  const { uri, offset = 0 } = args;
  if (typeof uri !== 'string') throw invalidParameter('uri', '"uri" must be the uri of an asset, as in an earlier result');
  if (typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 0)
    throw invalidParameter('offset', '"offset" must be an integer of at least 0');
  return { uri, offset, maxTokens: readTokens(args) };
}

/** @throws PlatenError `not_found`, `gone` */
export async function findAsset({ assets }: Pick<ServerApi, 'assets'>, uri: string): Promise<PublishedAsset> {
  const id = assetIdOf(uri);
  const found = id === undefined ? undefined : await assets.find(id);
  if (found === undefined) throw new PlatenError('not_found', 'there is no asset of this uri: use one of an earlier result');
  if (found === 'expired') throw new PlatenError('gone', 'the asset has expired');
  return found;
}

interface Wanted extends Pick<Caller, 'reserve'> {
  readonly offset: number;
  readonly maxTokens: number;
}

async function presentAsset(found: PublishedAsset, { offset, maxTokens, reserve }: Wanted): Promise<CallToolResult> {
  const { asset, expiresAt } = found;
  const { contentType, bytes, name } = asset;
  // The link of the result that named it has the download path.
  const summary = describeAsset({ ...found, url: '' }, { isHttp: false });
  const facts = { uri: uriOf(found), name, content_type: showType(contentType), bytes, expires: expiresAt.toISOString() };
  if (isInlineImage(contentType, bytes)) {
    if (!reserve(bytes)) throw noMemory();
    const data = (await buffer(asset.open())).toString('base64');
    return toResult({ ...facts, truncated: false }, [{ type: 'image', data, mimeType: contentType }]);
  }
  if (offset > bytes) throw invalidParameter('offset', `"offset" must be at most ${String(bytes)}, the size of the asset`);
  if (isText(contentType) && !reserve(sizeOfPart(bytes, offset, maxTokens))) throw noMemory();
  const part = isText(contentType) ? await readPart(asset, offset, maxTokens) : undefined;
  if (part === undefined) return toResult({ ...facts, truncated: false }, [linkResource(summary)]);
  const isCut = part.end < part.total;
  const more = { ...facts, truncated: isCut, ...(isCut ? { next_offset: part.end } : {}) };
  return toResult(more, [{ type: 'text', text: fence(part.text, `Asset ${name}${rangeOf(part, summary)}`) }]);
}
