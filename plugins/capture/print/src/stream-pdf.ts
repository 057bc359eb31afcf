import { Readable } from 'node:stream';
import { isPlatenError, PlatenError, type Page, type RenderContext } from '@platen/kernel';
import { amendPdf, type Amendment } from './amend-pdf.js';
import { stripLinkCredentials } from './strip-link-credentials.js';

/** Bytes per read. */
const CHUNK = 2 ** 20;

/** Streams the PDF from the browser. Ends with the PDF, the render's signal or the reader. The page is released in every case. */
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
  // The reader receives an error when it reads. An error before that must not end the process.
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

/** The browser stores the printed PDF in a file in its temporary folder. If the folder is full, it reports only "Read failed". */
function sayNotHandedOver(cause: unknown): never {
  if (isPlatenError(cause)) throw cause;
  const why = 'the disk that holds the temporary folder of the server may be full';
  throw new PlatenError('print_failed', `the browser could not hand over the PDF that it has printed: ${why}`, { cause });
}
