/** The members of an event by which it is kept or not (Trace Event Format). */
interface TraceEvent {
  readonly name?: string;
  /** The phase: M is metadata. */
  readonly ph?: string;
  /** Microseconds. */
  readonly ts?: number;
  readonly pid?: number;
  readonly id?: string;
  readonly args?: { readonly data?: ProfileChunk };
}

/** A piece of a CPU profile: nodes that it adds to those of the pieces before, and samples with the time since the one before. */
interface ProfileChunk {
  readonly cpuProfile?: { readonly nodes?: readonly unknown[]; readonly samples?: readonly number[] };
  readonly timeDeltas?: readonly number[];
}

/**
 * Makes the filter that leaves of a trace's events what happened from a moment on. It answers the event's text, changed where it
 * must be; undefined for one that goes. What later events need stays: names of processes and threads, the frames at the start of
 * the trace, and the nodes of CPU profiles, whose pieces build on each other.
 */
export function createEventTrimmer(from: number): (text: string) => string | undefined {
  const dropped = new Map<string, number>();
  return (text) => {
    const event = parseEvent(text);
    const { name, ph, ts = 0 } = event;
    if (ph === 'M' || name === 'Profile') return text;
    if (name === 'ProfileChunk') return trimChunk(text, event, { from, dropped });
    if (ts >= from) return text;
    // It holds the frames; readers begin the time line with it.
    return name === 'TracingStartedInBrowser' ? JSON.stringify({ ...event, ts: from }) : undefined;
  };
}

interface ChunkTrim {
  readonly from: number;
  /** Microseconds of samples omitted, by profile: the next sample's distance is measured from the last that was omitted. */
  readonly dropped: Map<string, number>;
}

function trimChunk(text: string, event: TraceEvent, { from, dropped }: ChunkTrim): string | undefined {
  const { ts = 0, pid, id, args: { data = {} } = {} } = event;
  const profile = `${String(pid)}:${String(id)}`;
  const { cpuProfile: { nodes } = {}, timeDeltas = [] } = data;
  const gap = dropped.get(profile) ?? 0;
  if (ts < from) {
    dropped.set(
      profile,
      timeDeltas.reduce((sum, delta) => sum + delta, gap),
    );
    return nodes === undefined ? undefined : JSON.stringify({ ...event, args: { data: { cpuProfile: { nodes } } } });
  }
  const [first, ...others] = timeDeltas;
  if (gap === 0 || first === undefined) return text;
  dropped.delete(profile);
  return JSON.stringify({ ...event, args: { data: { ...data, timeDeltas: [first + gap, ...others] } } });
}

function parseEvent(text: string): TraceEvent {
  // The browser's own JSON, in its documented form; nothing of it is trusted to be there.
  return JSON.parse(text) as TraceEvent;
}
