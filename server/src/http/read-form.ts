import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { PlatenError } from '@platen/kernel';
import { enabledPlugins, type Part, type PluginFunction } from 'formidable';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import type { MeterOptions } from './meter-body.js';
import { readMetered } from './read-body.js';

/** One part of a form. */
export interface FormPart {
  readonly name: string;
  /** Undefined for a text field. */
  readonly filename: string | undefined;
  /** The media type as stated; empty if it is not. */
  readonly type: string;
  readonly bytes: Buffer;
}

const MOST_PARTS = 5000;
/** Of one part, in bytes. The expressions that read them take time by the square of their length. */
const MOST_HEADERS = 2048;

/**
 * Reads a form (RFC 7578) into memory: nothing is written to a disk.
 *
 * @throws PlatenError `malformed_request`, and the errors of any body
 */
export async function readForm(ctx: Context, options: MeterOptions): Promise<readonly FormPart[]> {
  return await readMetered(ctx, options, async (body) => {
    const parts: FormPart[] = [];
    const fail = (detail: string) => body.destroy(malformed(detail));
    const parse = koaBody({
      ...{ multipart: true, json: false, text: false, urlencoded: false, patchKoa: false },
      formidable: {
        // A list, despite its type.
        enabledPlugins: [...(enabledPlugins as unknown as readonly PluginFunction[]), limitHeaders(fail)],
        onPart(part) {
          if (parts.length === MOST_PARTS) fail(`the form has more than ${String(MOST_PARTS)} parts`);
          else collect(part, { fail, done: (collected) => parts.push(collected) });
        },
      },
    });
    try {
      await parse(withBody(ctx, body), () => Promise.resolve());
    } catch (cause) {
      throw body.errored ?? malformed('the form is not valid multipart/form-data (RFC 7578)', cause);
    }
    return parts;
  });
}

/** The context of the request, but with the metered body. Without the header, a body without a length would count as empty. */
function withBody(ctx: Context, body: Readable): Context {
  const headers = { 'content-type': ctx.get('Content-Type'), 'transfer-encoding': 'chunked' };
  // It inherits all but the request.
  return Object.create(ctx, { req: { value: Object.assign(body, { headers }) } }) as Context;
}

/** The parser makes a chunk of each carriage return that might begin a boundary: a file of them would take a hundred times its size. */
const MOST_CHUNKS = 50_000;
const LEAST_CHUNK = 16;

interface Collecting {
  fail(detail: string): void;
  done(part: FormPart): void;
}

function collect(part: Part, { fail, done }: Collecting): void {
  const chunks: Buffer[] = [];
  let [held, count] = [0, 0];
  part.on('data', (chunk: Buffer) => {
    held += chunk.length;
    count += 1;
    if (count > MOST_CHUNKS && held < LEAST_CHUNK * count) fail('a part of the form is nothing but line ends');
    else chunks.push(chunk);
  });
  part.on('end', () => {
    const { name, originalFilename, mimetype } = part;
    done({ name: name ?? '', filename: originalFilename ?? undefined, type: mimetype ?? '', bytes: Buffer.concat(chunks) });
  });
}

interface ParserEvent {
  readonly name: string;
  readonly start?: number;
  end?: number;
}

/** Fails for long headers of a part, before they are read. */
function limitHeaders(fail: (detail: string) => void): PluginFunction {
  return (form) => {
    let held = 0;
    // Formidable has no other access to its parser, which an earlier plugin has created.
    const { _parser: parser } = form as unknown as { readonly _parser: EventEmitter | null };
    parser?.prependListener('data', (event: ParserEvent) => {
      const { name, start = 0, end = 0 } = event;
      if (name === 'partBegin') held = 0;
      if (name !== 'headerField' && name !== 'headerValue') return;
      held += end - start;
      if (held <= MOST_HEADERS) return;
      event.end = start;
      fail(`a part of the form has headers of more than ${String(MOST_HEADERS)} bytes`);
    });
  };
}

function malformed(detail: string, cause?: unknown): PlatenError {
  return new PlatenError('malformed_request', detail, { cause });
}
