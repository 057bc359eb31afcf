import { type CpuProfile, type Frame, isOwn, type OwnScripts, type Stack, toFrame } from './stack.js';

type Node = CpuProfile['nodes'][number];

const NANOSECONDS = 1000;

/** CPU time by stack, and the recorded period: microseconds of the browser's clock. */
export interface CpuStacks {
  readonly stacks: readonly Stack[];
  readonly start: number;
  readonly end: number;
}

/** The part of a profile to count. */
export interface Counted {
  /** Microseconds of the browser's clock. Samples from before it are omitted. */
  readonly from?: number | undefined;
  /** Scripts that are not the page's. */
  readonly own?: OwnScripts;
}

/**
 * Reads a profile in the protocol's format (Profiler.Profile). A sample counts for the time until the next one. Idle time is not CPU time,
 * and Platen's own scripts are excluded; the work of the browser and of the garbage collector counts.
 */
export function readCpuProfile(profile: CpuProfile, { from = -Infinity, own = new Set() }: Counted = {}): CpuStacks {
  const { nodes, startTime, endTime } = profile;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const stacks: Stack[] = [];
  for (const [id, share] of sumByNode(profile, from)) {
    const node = byId.get(id);
    if (node === undefined || isNoWork(node)) continue;
    const callers = listCallers(id, { byId, parents });
    if (isOwnWork(id, { byId, parents, own })) continue;
    for (const { frame, values } of splitByLine(node, share)) stacks.push({ frames: [frame, ...callers], values });
  }
  return { stacks, start: Math.min(Math.max(startTime, from), endTime), end: endTime };
}

interface Share {
  samples: number;
  nanoseconds: number;
}

/** Self time of each node. */
function sumByNode({ samples = [], timeDeltas = [], startTime, endTime }: CpuProfile, from: number): Map<number, Share> {
  let time = startTime;
  const taken = samples.map((node, index) => ({ node, time: (time += timeDeltas[index] ?? 0) }));
  // Samples are not always in order: a time delta may be negative.
  taken.sort((a, b) => a.time - b.time);
  const sums = new Map<number, Share>();
  for (const [index, sample] of taken.entries()) {
    if (sample.time < from) continue;
    const until = taken[index + 1]?.time ?? endTime;
    const sum = sums.get(sample.node) ?? { samples: 0, nanoseconds: 0 };
    sum.samples += 1;
    sum.nanoseconds += Math.max(until - sample.time, 0) * NANOSECONDS;
    sums.set(sample.node, sum);
  }
  return sums;
}

function isNoWork({ callFrame: { functionName, url } }: Node): boolean {
  return url === '' && (functionName === '(idle)' || functionName === '(root)');
}

interface Tree {
  readonly byId: ReadonlyMap<number, Node>;
  readonly parents: ReadonlyMap<number, number>;
}

/** The frames that called a node, innermost first, without the root. */
function listCallers(id: number, { byId, parents }: Tree): readonly Frame[] {
  const frames: Frame[] = [];
  for (let at = parents.get(id); at !== undefined; at = parents.get(at)) {
    const node = byId.get(at);
    if (node && parents.has(at)) frames.push(toFrame(node.callFrame));
  }
  return frames;
}

/** Whether the node or one of its callers is one of Platen's own scripts. */
function isOwnWork(id: number, { byId, parents, own }: Tree & { readonly own: OwnScripts }): boolean {
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const node = byId.get(at);
    if (node && isOwn(node.callFrame, own)) return true;
  }
  return false;
}

/** The protocol counts samples per line for the innermost frame: its time is divided in that ratio. */
function splitByLine(
  { callFrame, positionTicks = [] }: Node,
  { samples, nanoseconds }: Share,
): { frame: Frame; values: Stack['values'] }[] {
  const whole = toFrame(callFrame);
  const total = positionTicks.reduce((sum, { ticks }) => sum + ticks, 0);
  if (total === 0) return [{ frame: whole, values: [samples, nanoseconds] }];
  let counted = 0;
  return positionTicks
    .map(({ line, ticks }) => {
      const upTo = (share: number, count: number) => Math.round((share * count) / total);
      const before = counted;
      counted += ticks;
      const values = [samples, nanoseconds].map((share) => upTo(share, counted) - upTo(share, before));
      // The column within such a line is unknown.
      const frame = line === whole.startLine ? whole : { ...whole, line, column: 0 };
      return { frame, values: [values[0] ?? 0, values[1] ?? 0] as const };
    })
    .filter(({ values: [count, time] }) => count > 0 || time > 0);
}
