import { OWN_SCRIPT_URL, type Result, type TargetSession } from '@platen/kernel';

export type CpuProfile = Result<'Profiler.stop'>['profile'];
export type MemoryProfile = Result<'HeapProfiler.stopSampling'>['profile'];
export type CallFrame = CpuProfile['nodes'][number]['callFrame'];

/** A position in a function. Lines and columns count from 1; 0 is unknown. */
export interface Frame {
  readonly name: string;
  /** URL of the script; empty for the browser's own functions. */
  readonly url: string;
  /** Start of the function. */
  readonly startLine: number;
  readonly startColumn: number;
  readonly line: number;
  readonly column: number;
}

/** The samples with the same frames on the stack, innermost first. */
export interface Stack {
  readonly frames: readonly Frame[];
  /** The number of samples, and their value: nanoseconds, or bytes. */
  readonly values: readonly [samples: number, amount: number];
}

/** For frames other than the innermost one the protocol reports only the function's start. */
export function toFrame({ functionName, url, lineNumber, columnNumber }: CallFrame): Frame {
  const startLine = lineNumber + 1;
  const startColumn = columnNumber + 1;
  return { name: functionName === '' ? '(anonymous)' : functionName, url, startLine, startColumn, line: startLine, column: startColumn };
}

/** Whether it is one of the functions with which Platen inspects the page. */
export function isOwn({ url, scriptId }: Pick<CallFrame, 'url' | 'scriptId'>, own: ReadonlySet<string>): boolean {
  return isOwnUrl(url) || own.has(scriptId);
}

function isOwnUrl(url: string): boolean {
  return url === OWN_SCRIPT_URL;
}

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
