import { Readable } from 'node:stream';
import { isPlatenError, PlatenError, type Page, type RenderContext } from '@platen/kernel';
import { amendPdf, type Amendment } from './amend-pdf.js';
import { stripLinkCredentials } from './strip-link-credentials.js';

/** Bytes asked for at once. */
const CHUNK = 2 ** 20;

/** The PDF as it comes out of the browser; ends with it, with the render's signal or with its reader. The page is given back in every case. */
export function streamPdf({ page, plan, signal, release, log }: RenderContext, handle: string, amendment: Amendment | undefined): Readable {
  const printed = readStream(page, handle);
  const { username, password } = new URL(plan.url);
  const chunks = username === '' && password === '' ? printed : stripLinkCredentials(printed, plan.url);
  const onUnknown = () => {
    log.warn({}, 'the browser has printed a PDF of an unknown kind: its language and tags are as they came');
  };
  const data = Readable.from(amendment === undefined ? chunks : amendPdf(chunks, amendment, onUnknown), {
    objectMode: false,
    highWaterMark: CHUNK,
  });
  const abort = () => {
    data.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  };
  const close = () => {
    signal.removeEventListener('abort', abort);
    release();
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  // The reader hears of an error when it reads; one that comes before that must not end the process.
  data.on('error', () => undefined);
  return data.once('end', close).once('close', close);
}

/** Reads a stream of the browser's (IO.read) to its end. */
async function* readStream(page: Page, handle: string): AsyncGenerator<Buffer, void> {
  for (let eof = false; !eof;) {
    const read = await page.send('IO.read', { handle, size: CHUNK }).catch(sayNotHandedOver);
    eof = read.eof;
    if (read.data !== '') yield Buffer.from(read.data, read.base64Encoded === true ? 'base64' : 'utf8');
  }
  await page.send('IO.close', { handle });
}

/** The browser keeps what it has printed in a file of its temporary folder, and says nothing but "Read failed" where that has no room. */
function sayNotHandedOver(cause: unknown): never {
  if (isPlatenError(cause)) throw cause;
  const why = 'the disk that holds the temporary folder of the server may be full';
  throw new PlatenError('print_failed', `the browser could not hand over the PDF that it has printed: ${why}`, { cause });
}
