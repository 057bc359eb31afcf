import type { OwnScripts } from './own-scripts.js';
import { isOwn, toFrame, type Frame, type MemoryProfile, type Stack } from './stack.js';

type Node = MemoryProfile['head'];

/**
 * Reads a sampled heap in the protocol's format (HeapProfiler.SamplingHeapProfile): the bytes in use, by the stack that allocated them. V8
 * has scaled the sizes, so they estimate all allocations and not only the sampled ones. Omits allocations of Platen's own scripts,
 * identified by their ids.
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
