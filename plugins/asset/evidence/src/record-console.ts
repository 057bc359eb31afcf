import type { EventPayload, Page, TargetSession } from '@platen/kernel';
import { Lines, shorten } from './lines.js';

type Called = EventPayload<'Runtime.consoleAPICalled'>;
type Thrown = EventPayload<'Runtime.exceptionThrown'>;
type Logged = EventPayload<'Log.entryAdded'>;
type RemoteObject = Called['args'][number];
type Preview = NonNullable<RemoteObject['preview']>;

/** The console of a page, its frames and its workers. */
export interface ConsoleRecord {
  /** JSON Lines: `{time, type, text, url, line}`. `type` is that of the console method, `uncaught`, or `browser` for what the browser reports. */
  stop(): Buffer;
}

export function recordConsole({ targets }: Pick<Page, 'targets'>, redact: (text: string) => string): ConsoleRecord {
  const lines = new Lines();
  let isOpen = true;
  const write = (line: ConsoleLine): void => {
    if (!isOpen) return;
    const { time, type, text, url, line: at } = line;
    // Redacted before it is cut: the start of a secret would remain.
    const where = url === undefined || url === '' ? {} : { url: shorten(redact(url)), ...(at === undefined ? {} : { line: at + 1 }) };
    lines.add({ time: new Date(time).toISOString(), type, text: shorten(redact(text)), ...where });
  };
  targets.configure((target) => {
    if (!isOpen) return [];
    target.on('Runtime.consoleAPICalled', (event) => write(fromCall(event)));
    target.on('Runtime.exceptionThrown', (event) => write(fromException(event)));
    target.on('Log.entryAdded', (event) => {
      // The console of a worker, which is a target itself.
      if (event.entry.source !== 'worker') write(fromEntry(event));
    });
    return enable(target);
  });
  return {
    stop() {
      isOpen = false;
      return lines.toBuffer();
    },
  };
}

function enable({ send, kind }: TargetSession): readonly Promise<unknown>[] {
  return [send('Runtime.enable'), ...(kind === 'worklet' ? [] : [send('Log.enable')])];
}

interface ConsoleLine {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly type: string;
  readonly text: string;
  readonly url: string | undefined;
  /** From 0. */
  readonly line: number | undefined;
}

function fromCall({ timestamp: time, type, args, stackTrace }: Called): ConsoleLine {
  const [frame] = stackTrace?.callFrames ?? [];
  return { time, type, text: args.map(describe).join(' '), url: frame?.url, line: frame?.lineNumber };
}

function fromException({ timestamp: time, exceptionDetails: { text, exception, url, lineNumber, stackTrace } }: Thrown): ConsoleLine {
  const [frame] = stackTrace?.callFrames ?? [];
  const thrown = exception === undefined ? '' : describe(exception);
  return { time, type: 'uncaught', text: `${text} ${thrown}`.trim(), url: url ?? frame?.url, line: frame?.lineNumber ?? lineNumber };
}

function fromEntry({ entry: { timestamp: time, level, source, text, url, lineNumber } }: Logged): ConsoleLine {
  return { time, type: 'browser', text: `${level} (${source}): ${text}`, url, line: lineNumber };
}

/** A value as the console shows it. Errors have their stack as description. */
function describe({ type, value, unserializableValue, description, preview }: RemoteObject): string {
  if (type === 'string') return String(value);
  if (preview?.subtype === 'array' || preview?.description === 'Object') return describePreview(preview);
  return description ?? unserializableValue ?? String(value);
}

function describePreview({ subtype, properties, overflow }: Preview): string {
  const isList = subtype === 'array';
  const members = properties.map(({ name, value = '' }) => (isList ? value : `${name}: ${value}`));
  const text = [...members, ...(overflow ? ['…'] : [])].join(', ');
  return isList ? `[${text}]` : `{${text}}`;
}
