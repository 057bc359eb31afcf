import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

export interface EncoderRun {
  readonly program: string;
  readonly args: readonly string[];
  /** Piped to the program's standard input. */
  readonly input?: Buffer | Readable;
  /** Kills the program. */
  readonly signal: AbortSignal | undefined;
}

const MAX_OUTPUT = 2 ** 30;

/** The program's standard output. Rejects if the program fails, with its log. */
export async function runEncoder({ program, args, input, signal }: EncoderRun): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: MAX_OUTPUT, killSignal: 'SIGKILL', signal } as const;
  const running = promisify(execFile)(program, args, options);
  const { stdin } = running.child;
  const feeding = input === undefined || stdin === null ? undefined : feed(input, stdin);
  // The reason why the program ended is more useful than the error about its closed input.
  const [ended, fed] = await Promise.allSettled([running, feeding]);
  if (ended.status === 'rejected') throw ended.reason;
  if (fed.status === 'rejected') throw fed.reason;
  return ended.value.stdout;
}

function feed(input: Buffer | Readable, stdin: NodeJS.WritableStream): Promise<void> {
  return pipeline(Buffer.isBuffer(input) ? Readable.from([input]) : input, stdin);
}
