import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

export interface EncoderRun {
  readonly program: string;
  readonly args: readonly string[];
  /** Goes to the program's standard input. */
  readonly input?: Buffer | Readable;
  /** Kills the program. */
  readonly signal: AbortSignal | undefined;
}

const MAX_OUTPUT = 2 ** 30;

/** What the program wrote to its standard output. Rejects where it fails, with what it said. */
export async function runEncoder({ program, args, input, signal }: EncoderRun): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: MAX_OUTPUT, killSignal: 'SIGKILL', signal } as const;
  const running = promisify(execFile)(program, args, options);
  const { stdin } = running.child;
  const feeding = input === undefined || stdin === null ? undefined : feed(input, stdin);
  // Why the program ended says more than that its input was closed by it.
  const [ended, fed] = await Promise.allSettled([running, feeding]);
  if (ended.status === 'rejected') throw ended.reason;
  if (fed.status === 'rejected') throw fed.reason;
  return ended.value.stdout;
}

function feed(input: Buffer | Readable, stdin: NodeJS.WritableStream): Promise<void> {
  return pipeline(Buffer.isBuffer(input) ? Readable.from([input]) : input, stdin);
}
