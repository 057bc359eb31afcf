import type { TargetSession } from '@platen/kernel';

export interface ReceivedEvent {
  /** Milliseconds since the recording started. */
  readonly t: number;
  readonly wall: Date;
  readonly target: Pick<TargetSession, 'sessionId' | 'targetId'>;
  readonly method: string;
  readonly params: unknown;
}

/** Serializes one event to one line: `{t, wall, session, target, frame, method, params}`. */
export function logLine({ t, wall, target, method, params }: ReceivedEvent): string {
  const frame = frameOf(params);
  const line = {
    t: Math.round(t * 1000) / 1000,
    wall: wall.toISOString(),
    session: target.sessionId,
    target: target.targetId,
    ...(frame === undefined ? {} : { frame }),
    method,
    params: withoutBodies(params),
  };
  return `${serialize(line)}\n`;
}

function frameOf(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  if ('frameId' in params && typeof params.frameId === 'string') return params.frameId;
  if (!('frame' in params) || typeof params.frame !== 'object' || params.frame === null) return undefined;
  return 'id' in params.frame && typeof params.frame.id === 'string' ? params.frame.id : undefined;
}

/** The events carry streamed bodies if another plugin streams them. */
function withoutBodies(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || !('data' in params) || !('dataLength' in params)) return params;
  const { data: _data, ...rest } = params;
  return rest;
}

/** Removes user names and passwords from URLs, and the headers of Platen's own proxy. */
function serialize(line: object): string {
  const text = JSON.stringify(line);
  const isLong = text.length > LONG_LINE && text.includes('"data:');
  const spoken = isLong || /"proxy-|\bproxy-(?:authorization|connection):/i.test(text) ? JSON.stringify(line, clean) : text;
  return spoken.includes('@') ? spoken.replace(/\b((?:https?|wss?):\/\/)[^/?#\s"\\@]*@/gi, '$1') : spoken;
}

/** Documents with a `data:` URL would be repeated in full with each of their requests. */
const LONG_LINE = 16_384;
const LONGEST_DATA_URL = 256;

function clean(name: string, value: unknown): unknown {
  if (/^proxy-(?:authorization|connection)$/i.test(name)) return undefined;
  if (typeof value !== 'string') return value;
  if (value.startsWith('data:') && value.length > LONGEST_DATA_URL) return `${value.slice(0, LONGEST_DATA_URL)}…`;
  return value.replace(/^proxy-(?:authorization|connection):.*\r?\n/gim, '');
}
