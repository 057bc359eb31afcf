/** The members of an event that determine whether it is included (Trace Event Format). */
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

/** A chunk of a CPU profile: nodes added to those of earlier chunks, and samples with the time since the previous one. */
interface ProfileChunk {
  readonly cpuProfile?: { readonly nodes?: readonly unknown[]; readonly samples?: readonly number[] };
  readonly timeDeltas?: readonly number[];
}

/**
 * Creates the filter that reduces a trace's events to those from a given moment on. Returns the event's text, modified if necessary;
 * undefined for an omitted event. Data that later events need stays: names of processes and threads, the frames at the start of the trace,
 * and the nodes of CPU profiles, whose chunks build on each other.
 */
export function createEventTrimmer(from: number): (text: string) => string | undefined {
  const dropped = new Map<string, number>();
  return (text) => {
    const event = parseEvent(text);
    const { name, ph, ts = 0 } = event;
    if (ph === 'M' || name === 'Profile') return text;
    if (name === 'ProfileChunk') return trimChunk(text, event, { from, dropped });
    if (ts >= from) return text;
    // It contains the frames; readers begin the time line with it.
    return name === 'TracingStartedInBrowser' ? JSON.stringify({ ...event, ts: from }) : undefined;
  };
}

interface ChunkTrim {
  readonly from: number;
  /** Microseconds of omitted samples, by profile: the next sample's delta starts at the last omitted one. */
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
  // The browser's own JSON in its documented format; every member is treated as optional.
  return JSON.parse(text) as TraceEvent;
}
