import { styleText } from 'node:util';
import type { Logger } from '@platen/kernel';
import { pino } from 'pino';

const COLORS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

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

type Fields = Readonly<Record<string, unknown>>;

/** One JSON line of the log as a line for people: `12:00:01 info  rendered 200 png 34 ms https://example.com/`. */
function formatLine(line: string): string {
  const fields = parseFields(line);
  if (fields === undefined) return line;
  const { time, level, msg, err, ...rest } = fields;
  const name = String(level);
  const color = isColored(name) ? COLORS[name] : 'white';
  const pairs = Object.entries(rest).map(
    ([key, value]) => `${styleText('gray', `${key}=`)}${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = [styleText('gray', String(time).slice(11, 19)), styleText(color, name.padEnd(5)), String(msg)];
  return `${[...head, ...pairs].join(' ')}\n${describe(err)}`;
}

function parseFields(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isColored(name: string): name is keyof typeof COLORS {
  return Object.hasOwn(COLORS, name);
}

function describe(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const stack = 'stack' in err ? String(err.stack) : JSON.stringify(err);
  const cause = 'cause' in err ? `  caused by ${describe(err.cause).trimStart()}` : '';
  return `  ${stack.replaceAll('\n', '\n  ')}\n${cause}`;
}

/**
 * Log lines show where a render went, not the data of its URL: they contain scheme, host, path and the names of the query parameters. All
 * query values are removed, since a list of secret-sounding names is never complete; so are user, password and fragment. Of a `data:` URL,
 * the media type and the length remain.
 */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return '[not a URL]';
  const url = new URL(text);
  if (url.protocol === 'data:') return `data:${/^data:([\w.+-]+\/[\w.+-]+)/i.exec(text)?.[1] ?? ''},[${String(text.length)} characters]`;
  // A name without a value may itself be the secret.
  const names = [...new Set([...url.searchParams].map(([name, value]) => (value === '' ? '*' : `${encodeURIComponent(name)}=*`)))];
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  return `${url.protocol}//${url.host}${url.pathname}${query}`;
}

/** Redacts every URL in a text, such as an error's message. */
export function redactText(text: string): string {
  return text.replace(/\b(?:[a-z][a-z0-9+.-]{0,15}:\/\/|data:)[^\s"'<>]+/gi, redactUrl);
}
