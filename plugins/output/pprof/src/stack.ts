import { OWN_SCRIPT_URL, type Result } from '@platen/kernel';

export type CpuProfile = Result<'Profiler.stop'>['profile'];
export type MemoryProfile = Result<'HeapProfiler.stopSampling'>['profile'];
export type CallFrame = CpuProfile['nodes'][number]['callFrame'];

/** A place in a function. Lines and columns count from 1; 0 is unknown. */
export interface Frame {
  readonly name: string;
  /** The script; empty for what is the browser's own. */
  readonly url: string;
  /** Where the function begins. */
  readonly startLine: number;
  readonly startColumn: number;
  readonly line: number;
  readonly column: number;
}

/** What was seen with the same frames on the stack, the innermost first. */
export interface Stack {
  readonly frames: readonly Frame[];
  /** Samples, and what they stand for: nanoseconds, or bytes. */
  readonly values: readonly [samples: number, amount: number];
}

/** The function's beginning is all that the protocol tells of frames that are not the innermost. */
export function toFrame({ functionName, url, lineNumber, columnNumber }: CallFrame): Frame {
  const startLine = lineNumber + 1;
  const startColumn = columnNumber + 1;
  return { name: functionName === '' ? '(anonymous)' : functionName, url, startLine, startColumn, line: startLine, column: startColumn };
}

/** Whether it is one of the functions by which Platen looks at the page. */
export function isOwn({ url, scriptId }: Pick<CallFrame, 'url' | 'scriptId'>, own: ReadonlySet<string>): boolean {
  return isOwnUrl(url) || own.has(scriptId);
}

export function isOwnUrl(url: string): boolean {
  return url === OWN_SCRIPT_URL;
}
