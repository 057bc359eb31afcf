import { Readable } from 'node:stream';
import { contextKey, type EventPayload, type ProtocolSession, type RenderContext, untilAborted } from '@platen/kernel';
import { type ArchivedResponse, valueOf } from '@platen/lib-warc';
import { createSpool } from '@platen/lib-spool';
import type { NetworkParams } from '@platen/plugin-network';
import { decodeHeaderValue } from '@platen/plugin-network/keys';
import { StoredBody } from './stored-body.js';

type Paused = EventPayload<'Fetch.requestPaused'>;

/** A response that a browser saves as a file, with its body. */
export interface TakenFile extends AsyncDisposable {
  /** `requestId` of its exchange. */
  readonly networkId: string | undefined;
  readonly response: Pick<ArchivedResponse, 'status' | 'statusText' | 'headers' | 'mimeType' | 'body'>;
}

export interface FileTaker {
  /** The file that the tab was sent since the last call; its body is cut where it has not arrived. */
  take(): Promise<TakenFile | undefined>;
}

export const fileTakerKey = contextKey<FileTaker>('walk: files of a tab');

/** Media types that Chromium shows, or may show. */
const SHOWN =
  /^(?:text\/(?!(?:x-)?(?:csv|calendar|vcalendar|vcard|rtf)|\w+-separated)|image\/(?!tiff|hei[cf])|audio\/|video\/|multipart\/)/i;
const SHOWN_TEXT = /^(?:application\/(?:json|signed-exchange|(?:java|ecma)script|.*xml)|.*\+(?:json|xml))/i;

/** Takes the files that a tab navigates to from its own response: the browser would cancel it, and they would be requested twice. */
export async function takeFiles(context: RenderContext<NetworkParams>): Promise<FileTaker> {
  const { page } = context;
  const session = await page.openSession();
  let current: OpenFile | undefined;
  const decide = async (paused: Paused): Promise<void> => {
    const { requestId, frameId } = paused;
    if (frameId !== page.mainFrameId || !isFile(paused)) {
      await session.send('Fetch.continueResponse', { requestId });
      return;
    }
    const file = openFile(context, session, paused);
    current = file;
    // An error is that of `take`.
    await file.finished.catch(() => undefined);
    await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  };
  // The request's owner may have canceled it.
  session.on('Fetch.requestPaused', (paused) => {
    decide(paused).catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Response' }] });
  return {
    async take() {
      const file = current;
      current = undefined;
      await file?.stop();
      return file;
    },
  };
}

interface OpenFile extends TakenFile {
  /** Rejects if the file could not be stored. */
  readonly finished: Promise<unknown>;
  /** Cuts what has not arrived. */
  stop(): Promise<void>;
}

/** Begins to read a file. */
function openFile(context: RenderContext<NetworkParams>, session: ProtocolSession, paused: Paused): OpenFile {
  const { requestId, networkId, responseStatusCode: status = 0, responseStatusText: statusText = '', responseHeaders = [] } = paused;
  const spool = createSpool();
  context.onRenderEnd(async () => spool[Symbol.asyncDispose]());
  const stopped = new AbortController();
  const source = Readable.from(readBody(session, { requestId, signal: stopped.signal }), { objectMode: false });
  const time = { [Symbol.dispose]: () => undefined };
  const body = new StoredBody(source, { coding: undefined, spool, limit: context.params.archive_body_size_limit, time });
  const headers = responseHeaders.map(({ name, value }) => ({ name, value: decodeHeaderValue(name, value) }));
  const head = { status, statusText, headers, mimeType: typeOf(responseHeaders) };
  const finished = body.finish();
  return {
    ...{ finished, networkId },
    get response() {
      return { ...head, body: body.stored };
    },
    async stop() {
      stopped.abort();
      await finished;
    },
    [Symbol.asyncDispose]: () => spool[Symbol.asyncDispose](),
  };
}

/** A read returns when it has so many: fewer of them are lost where a body stops. */
const READ_BYTES = 65_536;

interface Reading {
  readonly requestId: string;
  readonly signal: AbortSignal;
}

async function* readBody(session: ProtocolSession, { requestId, signal }: Reading): AsyncGenerator<Buffer> {
  const { stream: handle } = await session.send('Fetch.takeResponseBodyAsStream', { requestId });
  for (let eof = false; !eof;) {
    const part = await untilAborted(session.send('IO.read', { handle, size: READ_BYTES }, { timeoutMs: Infinity }), signal);
    eof = part.eof;
    if (part.data !== '') yield Buffer.from(part.data, part.base64Encoded === true ? 'base64' : 'utf8');
  }
}

function isFile({ responseStatusCode: status = 0, responseHeaders = [] }: Paused): boolean {
  if (status < 200 || status > 299 || status === 204 || status === 205) return false;
  const type = typeOf(responseHeaders);
  const isAttached = /^\s*attachment\b/i.test(valueOf(responseHeaders, 'content-disposition') ?? '');
  return isAttached || (type !== '' && !SHOWN.test(type) && !SHOWN_TEXT.test(type));
}

function typeOf(headers: NonNullable<Paused['responseHeaders']>): string {
  return valueOf(headers, 'content-type')?.split(';')[0]?.trim() ?? '';
}
