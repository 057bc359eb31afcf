import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  ConcurrencyLimiter,
  type EncodeContext,
  findTool,
  isDiskFull,
  PlatenError,
  TEMPORARY_DISK,
  type ToolDeclaration,
} from '@platen/kernel';
import { openScratchFile } from '@platen/lib-spool';

export const QPDF: ToolDeclaration = {
  id: 'qpdf',
  candidates: [{ name: 'qpdf', command: ['qpdf', '--version'], prints: '^qpdf version (\\S+)' }],
  fix: 'apt-get install qpdf',
  optional: true,
  from: import.meta.url,
};

let isFound = false;

/** @throws PlatenError `feature_unavailable` if this host has no qpdf; looks again at the next call */
export async function requireQpdf(): Promise<void> {
  isFound ||= (await findTool(QPDF, import.meta.url)) !== undefined;
  if (isFound) return;
  throw new PlatenError(
    'feature_unavailable',
    `"pdf_password" needs the program qpdf, which this host does not have: "${QPDF.fix}" installs it`,
  );
}

const slots = new ConcurrencyLimiter(Math.max(2, availableParallelism()));

/** Encrypts with AES-256 (ISO 32000-2, 7.6). The password gives all permissions. */
export async function encryptPdf(pdf: Readable, password: string, { signal }: Pick<EncodeContext, 'signal'>): Promise<Readable> {
  await requireQpdf();
  try {
    await using source = await openScratchFile();
    // Streams of Node are of any type; this one has bytes.
    for await (const chunk of pdf) await source.append(Buffer.from(chunk as Uint8Array));
    const target = await openScratchFile();
    try {
      await slots.run(() => runQpdf({ from: source.path, to: target.path, password, signal }), signal);
      return await target.read();
    } catch (error) {
      await target[Symbol.asyncDispose]();
      throw error;
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof PlatenError) throw cause;
    const why = isDiskFull(cause) ? `: ${TEMPORARY_DISK} is full` : '';
    throw new PlatenError('encode_failed', `the PDF could not be encrypted${why}`, { cause });
  } finally {
    pdf.destroy();
  }
}

interface QpdfRun {
  readonly from: string;
  readonly to: string;
  readonly password: string;
  readonly signal: AbortSignal;
}

/**
 * Other users of the host can read arguments, so qpdf reads them from its standard input, one a line. In hexadecimal digits a password may
 * have any characters.
 */
async function runQpdf({ from, to, password, signal }: QpdfRun): Promise<void> {
  const secret = Buffer.from(password.normalize('NFKC'), 'utf8').toString('hex');
  const running = promisify(execFile)('qpdf', ['@-'], { signal, killSignal: 'SIGKILL' });
  const { stdin } = running.child;
  // If qpdf ends early, its exit is the error.
  stdin?.on('error', () => undefined);
  stdin?.end(['--warning-exit-0', '--password-mode=hex-bytes', '--encrypt', secret, secret, '256', '--', from, to, ''].join('\n'));
  await running;
}
