import type { TargetSession } from '@platen/kernel';
import { isOwnUrl } from './stack.js';

/** The ids, in the target's isolate, of the scripts that are Platen's own. */
export type OwnScripts = ReadonlySet<string>;

/**
 * Follows which scripts are Platen's own, from the moment on in which the debugger is enabled: V8's sampled heaps tell a function's script
 * by its id alone where that has no address, and know nothing of the name that its text gives itself. Pages have no isolated worlds.
 */
export function followOwnScripts(target: TargetSession): OwnScripts {
  const own = new Set<string>();
  target.on('Debugger.scriptParsed', ({ scriptId, url, executionContextAuxData }) => {
    const world: unknown = executionContextAuxData;
    if (isIsolated(world) || isOwnUrl(url)) own.add(scriptId);
    // Of another isolate, where the target has a new one since.
    else own.delete(scriptId);
  });
  return own;
}

function isIsolated(world: unknown): boolean {
  return typeof world === 'object' && world !== null && 'type' in world && world.type === 'isolated';
}
