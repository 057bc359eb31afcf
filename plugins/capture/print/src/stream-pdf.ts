import { Readable } from 'node:stream';
import { callOnAbort, isPlatenError, type Page, PlatenError, type RenderContext, TEMPORARY_DISK } from '@platen/kernel';
import { type Amendment, amendPdf } from './amend-pdf.js';
import { fixDates } from './fix-dates.js';

/** No valid link is longer: a URL beyond Chromium's limit does not work. */
const LONGEST = 2 ** 22;

/** Bytes per read. */
const CHUNK = 2 ** 20;

/** Streams the PDF from the browser. Ends with the PDF, the render's signal or the reader. The page is released in every case. */
export function streamPdf(
  { page, plan, clock, signal, release, log }: RenderContext,
  handle: string,
  amendment: Amendment | undefined,
): Readable {
  const stream = readStream(page, handle);
  const printed = plan.frozen === undefined ? stream : fixDates(stream, clock.now());
  const { username, password } = new URL(plan.url);
  const chunks = username === '' && password === '' ? printed : stripLinkCredentials(printed, plan.url);
  const onUnknown = () => {
    log.warn({}, 'the browser printed a PDF of an unknown structure: its language and tags are unchanged');
  };
  const data = Readable.from(amendment === undefined ? chunks : amendPdf(chunks, amendment, onUnknown), {
    objectMode: false,
    highWaterMark: CHUNK,
  });
  const abort = () => {
    data.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  };
  const unfollow = callOnAbort(signal, abort);
  const close = () => {
    unfollow();
    release();
  };
  // The reader receives an error when it reads. An error before that must not end the process.
  data.on('error', () => undefined);
  return data.once('end', close).once('close', close);
}

/** Reads a stream of the browser's (IO.read) to its end. */
async function* readStream(page: Page, handle: string): AsyncGenerator<Buffer, void> {
  for (let eof = false; !eof;) {
    const read = await page.send('IO.read', { handle, size: CHUNK }).catch(throwReadError);
    eof = read.eof;
    if (read.data !== '') yield Buffer.from(read.data, read.base64Encoded === true ? 'base64' : 'utf8');
  }
  await page.send('IO.close', { handle });
}

/** The browser stores the printed PDF in a file in its temporary folder. If the folder is full, it reports only "Read failed". */
function throwReadError(cause: unknown): never {
  if (isPlatenError(cause)) throw cause;
  throw new PlatenError('print_failed', `the browser could not return the printed PDF: ${TEMPORARY_DISK} may be full`, { cause });
}

/**
 * Passes a PDF on, and removes the user and password of the target's URL from the links (ISO 32000-1, 12.6.4.7) that were resolved
 * against it. Spaces after each link keep every object at its offset in the cross-reference table.
 */
export async function* stripLinkCredentials(chunks: AsyncIterable<Buffer>, target: string): AsyncGenerator<Buffer, void> {
  const { username, password } = new URL(target);
  const userinfo = `//${username}${password === '' ? '' : `:${password}`}@`.replace(/[()\\]/g, '\\$&');
  const bare = (text: string) =>
    text.replace(/\/URI \(((?:[^()\\]|\\.)*)\)/gs, (whole, uri: string) =>
      uri.includes(userinfo) ? `/URI (${uri.replace(userinfo, '//')})`.padEnd(whole.length) : whole,
    );
  let held = '';
  for await (const chunk of chunks) {
    const text = bare(held + chunk.toString('latin1'));
    const open = text.lastIndexOf('/URI (');
    // A link that is incomplete so far.
    const isOpen = open >= 0 && text.length - open < LONGEST && !/^\/URI \((?:[^()\\]|\\.)*\)/s.test(text.slice(open));
    const end = isOpen ? open : Math.max(0, text.length - '/URI ('.length);
    held = text.slice(end);
    yield Buffer.from(text.slice(0, end), 'latin1');
  }
  yield Buffer.from(held, 'latin1');
}
