import type { Logger } from '@platen/kernel';
import { pino } from 'pino';
import { formatLine } from './format-line.js';
import { redactText } from './redact.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export interface LogOptions {
  readonly level: string;
  /** The destination of the lines, and whether a person reads them there. */
  readonly stream: { write(text: string): unknown; readonly isTTY?: boolean };
}

/** Names whose values are never logged, whatever a plugin passes. */
const SECRET_FIELDS = ['authorization', 'cookie', 'cookies', 'header', 'headers', 'password', 'secret', 'token', 'javascript', 'params'];

/** JSON lines; on a terminal, readable lines. */
export function createLog({ level, stream }: LogOptions): Logger {
  const destination = stream.isTTY === true ? { write: (line: string) => stream.write(formatLine(line)) } : stream;
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    destination,
  );
}

/** An error with its causes. URLs are redacted in the stack too, since it repeats the message. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redactText(error) : String(error);
  return {
    type: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...('code' in error ? { code: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
