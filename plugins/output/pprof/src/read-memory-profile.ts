import type { OwnScripts } from './own-scripts.js';
import { isOwn, toFrame, type Frame, type MemoryProfile, type Stack } from './stack.js';

type Node = MemoryProfile['head'];

/**
 * Reads a sampled heap as the protocol has it (HeapProfiler.SamplingHeapProfile): the bytes that were in use, by the stack that
 * allocated them. The sizes stand for all allocations, not for the sampled ones alone: V8 has scaled them. What Platen's own scripts, by their ids, hold is omitted.
 */
export function readMemoryProfile({ head, samples }: MemoryProfile, own: OwnScripts): readonly Stack[] {
  const counts = new Map<number, number>();
  for (const { nodeId } of samples) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
  const stacks: Stack[] = [];
  const waiting: { readonly node: Node; readonly callers: readonly Frame[] }[] = head.children.map((node) => ({ node, callers: [] }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, callers } = next;
    if (isOwn(node.callFrame, own)) continue;
    const frames = [toFrame(node.callFrame), ...callers];
    if (node.selfSize > 0) stacks.push({ frames, values: [counts.get(node.id) ?? 0, Math.round(node.selfSize)] });
    for (const child of node.children) waiting.push({ node: child, callers: frames });
  }
  return stacks;
}
