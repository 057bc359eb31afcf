import type { TargetSession } from '@platen/kernel';
import { isOwnUrl } from './stack.js';

/** The ids, in the target's isolate, of Platen's own scripts. */
export type OwnScripts = ReadonlySet<string>;

/**
 * Tracks Platen's own scripts from the moment the debugger is enabled: V8's sampled heaps identify the script of a function without a URL
 * only by its id and ignore `sourceURL` comments. Pages have no isolated worlds.
 */
export function followOwnScripts(target: TargetSession): OwnScripts {
  const own = new Set<string>();
  target.on('Debugger.scriptParsed', ({ scriptId, url, executionContextAuxData }) => {
    const world: unknown = executionContextAuxData;
    if (isIsolated(world) || isOwnUrl(url)) own.add(scriptId);
    // From another isolate, if the target has had a new one since.
    else own.delete(scriptId);
  });
  return own;
}

function isIsolated(world: unknown): boolean {
  return typeof world === 'object' && world !== null && 'type' in world && world.type === 'isolated';
}
