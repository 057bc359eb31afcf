import { limitSignal } from '@platen/kernel';
import { createWorkerPool } from '@platen/lib-worker';
import { compileSchema } from './compile-schema.js';
import type { JsonSchema } from './message.js';
import type { ReadInput, ReadResult } from './read-worker.js';

/** How a structured answer is requested and read. */
export interface AnswerFormat {
  /** Schema to send: always of an object, as providers require. */
  readonly sent: JsonSchema;
  /** Reads an answer off the event loop. Rejects with the signal's reason, and with an error if it takes too long. */
  read(reply: { readonly text: string; readonly value?: unknown }, signal: AbortSignal): Promise<ReadResult>;
}

const READ_MS = 10_000;
const WRAPPER = 'value';

const threads = createWorkerPool<ReadInput, ReadResult>(new URL('./read-worker.js', import.meta.url), {
  idleMs: 30_000,
  size: 2,
  oldMiB: 512,
});

/** Compiling takes tens of milliseconds: a schema object is compiled once. */
const formats = new WeakMap<JsonSchema, AnswerFormat>();

/**
 * The schema object must not change afterwards.
 * @throws Error whose message is a clause about the schema: it is not valid, or too long
 */
export function compileFormat(schema: JsonSchema): AnswerFormat {
  const known = formats.get(schema);
  if (known !== undefined) return known;
  compileSchema(schema);
  const { $schema: _, ...rest } = schema;
  const wrapper = rest['type'] === 'object' ? undefined : WRAPPER;
  const format: AnswerFormat = {
    sent: wrapper === undefined ? rest : wrap(rest),
    async read({ text, value }, signal) {
      using limit = limitSignal(signal, READ_MS);
      return await threads.run({ schema, text, value, wrapper }, { signal: limit.signal });
    },
  };
  formats.set(schema, format);
  return format;
}

/** References lead to the root, so shared definitions stay there. */
function wrap({ $defs, definitions, ...schema }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { [WRAPPER]: schema },
    required: [WRAPPER],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}
