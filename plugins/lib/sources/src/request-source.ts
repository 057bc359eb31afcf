import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  type BaseRenderContext,
  decodeDataUrl,
  describeReadError,
  invalidParameter,
  isRedirect,
  type Outbound,
  OutboundError,
  PlatenError,
  readUrl,
  splitDataUrl,
} from '@platen/kernel';
import { openUnnamed } from '@platen/lib-spool';
import { nameSource } from './name-source.js';

/** A source that a request names, as a file. */
export interface RequestSource {
  /** Where it came from, for messages: without credentials, query and data. */
  readonly name: string;
  /** A path by which this process can open it until it is removed. */
  readonly file: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Deletes the copy. Nothing remains either if the process is killed. */
  remove(): Promise<void>;
}

export interface SourceOptions extends Pick<BaseRenderContext, 'signal' | 'findAsset' | 'resolveLocalPath'> {
  /** The parameter, for messages. */
  readonly key: string;
  readonly maxBytes: number;
  readonly outbound: Pick<Outbound, 'open'>;
}

/** A source before its bytes are read. */
interface OpenedSource {
  readonly name: string;
  /** Bytes, as stated. */
  readonly size: number | undefined;
  readonly body: Readable | readonly Buffer[];
}

/**
 * Loads a source that a request names: an http or https URL, `asset:ID`, a `data:` URL, and on the command line a path.
 *
 * @throws PlatenError `invalid_parameters` (another scheme, no data, no such file) · `not_found`, `gone` (asset) · `payload_too_large` · `target_blocked`, `target_unreachable`, `target_status`, `proxy_failed`; each names the key
 */
export async function loadRequestSource(source: string, options: SourceOptions): Promise<RequestSource> {
  if (/^data:/i.test(source)) return await copy(readData(source, options), options);
  if (source.startsWith('asset:')) return await copy(await openAsset(source, options), options);
  if (isHttp(readUrl(source))) return await copy(await openUrl(source, options), options);
  if (options.resolveLocalPath !== undefined && !/^[a-z][a-z\d+.-]+:\/\//i.test(source)) return await useFile(source, options);
  throw invalidParameter(options.key, `"${options.key}" must be ${validSources(options)}`);
}

function validSources({ resolveLocalPath }: SourceOptions): string {
  const path = resolveLocalPath === undefined ? '' : ', the path of a file';
  return `an http or https URL, "asset:" with the id of an asset${path}, or a data: URL`;
}

function readData(source: string, { key }: SourceOptions): OpenedSource {
  const parts = splitDataUrl(source);
  if (parts?.isBase64 === true && /[^A-Za-z\d+/=%\s]/.test(parts.data))
    throw invalidParameter(key, `the base64 data of "${key}" is invalid`);
  const bytes = parts === undefined ? Buffer.of() : decodeDataUrl(parts);
  if (bytes.length === 0) throw invalidParameter(key, `"${key}" is empty: it has no data`);
  // A data: URL, or a part of a form.
  return { name: 'the file of the request', size: bytes.length, body: [bytes] };
}

async function openAsset(source: string, { key, findAsset }: SourceOptions): Promise<OpenedSource> {
  const found = await findAsset(source.slice('asset:'.length));
  if (found === undefined)
    throw new PlatenError('not_found', `"${key}" names an asset that does not exist: assets are of this server, by their id`);
  if (found === 'expired') throw new PlatenError('gone', `"${key}" names an asset that has expired`);
  const { asset } = found;
  return { name: `the asset ${asset.id}`, size: asset.bytes, body: asset.open() };
}

const MAX_REDIRECTS = 5;

/** Each hop by the rules of the server's own requests. */
async function openUrl(source: string, { key, outbound, signal }: SourceOptions): Promise<OpenedSource> {
  const explain = (error: unknown) => unavailable(error, key, signal);
  let url = source;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const { status, headers, body } = await outbound.open(url, { signal }).catch((error: unknown) => {
      throw explain(error);
    });
    if (status === 200) {
      const length = headers['content-length'];
      return { name: nameSource(source), size: length === undefined ? undefined : Number(length), body };
    }
    body.destroy();
    const next = isRedirect(status) && headers['location'] !== undefined ? readUrl(headers['location'], url) : undefined;
    if (next === undefined) {
      const target = { url: nameSource(url), status };
      throw new PlatenError('target_status', `"${key}" could not be fetched: ${target.url} responded with status ${String(status)}`, {
        target,
      });
    }
    url = next.href;
  }
  throw new PlatenError('target_unreachable', `"${key}" could not be fetched: it redirects more than ${String(MAX_REDIRECTS)} times`, {
    retryable: false,
  });
}

function isHttp(url: URL | undefined): boolean {
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}

const CODES: Readonly<Partial<Record<OutboundError['reason'], 'target_blocked' | 'proxy_failed'>>> = {
  blocked: 'target_blocked',
  proxy: 'proxy_failed',
};

function unavailable(error: unknown, key: string, signal: AbortSignal): unknown {
  signal.throwIfAborted();
  if (!(error instanceof OutboundError)) return error;
  return new PlatenError(CODES[error.reason] ?? 'target_unreachable', `"${key}" could not be fetched: ${error.message}`, { cause: error });
}

/** Copies the bytes into a private file. */
async function copy({ name, size, body }: OpenedSource, options: SourceOptions): Promise<RequestSource> {
  const { key, maxBytes, signal } = options;
  const { handle, path, remove } = await openUnnamed({ purpose: 'source', reachable: true });
  const close = async () => {
    await handle.close();
    await remove();
  };
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    if (size !== undefined && size > maxBytes) throw tooLarge(key, maxBytes);
    // Not in object mode: the chunks are Buffers.
    for await (const chunk of body as AsyncIterable<Buffer> | readonly Buffer[]) {
      signal.throwIfAborted();
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(key, maxBytes);
      hash.update(chunk);
      await handle.appendFile(chunk);
    }
    return { name, file: path, bytes, sha256: hash.digest('hex'), remove: close };
  } catch (error) {
    await close();
    throw interrupted(error, options);
  } finally {
    if ('destroy' in body) body.destroy();
  }
}

/** A connection that ends early. */
function interrupted(error: unknown, { key, signal }: SourceOptions): unknown {
  signal.throwIfAborted();
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ECONNRESET') return error;
  return new PlatenError(
    'target_unreachable',
    `"${key}" could not be fetched: the connection was closed before the response was complete`,
    {
      cause: error,
    },
  );
}

function tooLarge(key: string, maxBytes: number, path = ''): PlatenError {
  return new PlatenError('payload_too_large', `"${key}" is larger than ${String(maxBytes)} bytes${path}`);
}

/** A file of the user stays where it is. */
async function useFile(source: string, { key, maxBytes, signal, resolveLocalPath }: SourceOptions): Promise<RequestSource> {
  const file = resolveLocalPath?.(source) ?? source;
  try {
    const found = await stat(file);
    if (!found.isFile()) throw Object.assign(new Error('not a regular file'), { code: found.isDirectory() ? 'EISDIR' : 'EFTYPE' });
    if (found.size > maxBytes) throw tooLarge(key, maxBytes, `: ${source}`);
    const hash = createHash('sha256');
    // Not in object mode: the chunks are Buffers.
    for await (const chunk of createReadStream(file, { signal }) as AsyncIterable<Buffer>) hash.update(chunk);
    return { name: source, file, bytes: found.size, sha256: hash.digest('hex'), remove: () => Promise.resolve() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PlatenError) throw error;
    throw invalidParameter(key, `"${key}" cannot be read: ${source}: ${describeReadError(error)}`);
  }
}
