import { createWorkerPool, isOutOfMemory } from '@platen/lib-worker';
import type { JsonSchema } from './message.js';
import type { ReadInput, ReadResult } from './read-worker.js';
import { shapeSchema } from './shape-schema.js';
import type { SchemaRules } from './wire.js';

/** How a structured answer is requested and read. */
export interface AnswerFormat {
  /** Schema to send: always of an object, as providers require. */
  readonly sent: JsonSchema;
  /** Reads an answer off the event loop. Rejects with the signal's reason, and with an error if it takes too long. */
  read(reply: { readonly text: string; readonly value?: unknown }, signal: AbortSignal): Promise<ReadResult>;
}

const READ_MS = 10_000;
const COMPILE_MS = 5_000;
/** KiB of a schema as JSON. */
const MAX_KIB = 256;

const threads = createWorkerPool<ReadInput, ReadResult>(new URL('./read-worker.js', import.meta.url), {
  idleMs: 30_000,
  size: 2,
  oldMiB: 512,
});

/** Why the schema is too large, as a clause. Undefined: it is not. */
export function describeExcess(schema: JsonSchema): string | undefined {
  return Buffer.byteLength(JSON.stringify(schema)) > MAX_KIB * 1024 ? `it is larger than ${String(MAX_KIB)} KiB` : undefined;
}

/**
 * Compiles the schema off the event loop, and keeps it for the answers. Resolves with why it is not valid, as a clause, or too large, or too
 * costly; undefined: it can be used. Rejects with the signal's reason.
 */
export async function checkSchema(schema: JsonSchema, signal: AbortSignal, timeoutMs = COMPILE_MS): Promise<string | undefined> {
  const excess = describeExcess(schema);
  if (excess !== undefined) return excess;
  try {
    const result = await threads.run({ schema }, { signal, timeoutMs });
    return 'problems' in result ? result.problems : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (isOutOfMemory(error)) return 'compiling it takes too much memory';
    if (error instanceof Error && error.name === 'TimeoutError') return `compiling it takes longer than ${String(timeoutMs / 1000)} s`;
    throw error;
  }
}

/** How answers of this schema are requested and read. A client's own schema is checked before, see `checkSchema`. */
export function formatOf(schema: JsonSchema, { rules, lenient = false }: FormatOptions = {}): AnswerFormat {
  const { sent, wrapper, renamed } = shapeSchema(schema, rules);
  return {
    sent,
    read: ({ text, value }, signal) => threads.run({ schema, text, value, wrapper, renamed, lenient }, { signal, timeoutMs: READ_MS }),
  };
}

interface FormatOptions {
  readonly rules?: SchemaRules | undefined;
  readonly lenient?: boolean | undefined;
}
