import { type Logger, PlatenError } from '@platen/kernel';
import { isOutOfMemory } from '@platen/lib-worker';
import type { Connection } from './connection.js';
import { addUsage, type Message, type ModelRequest, NO_USAGE, type Usage } from './message.js';
import type { Answer, AskOptions } from './model.js';
import { splitThoughts } from './find-json.js';
import { countUsage, registryOf, type WireHost } from './registry.js';
import { sendCall } from './send.js';
import { formatOf } from './structured.js';
import type { ModelFailure, WireCall, WireReply } from './wire.js';

export interface Asking extends AskOptions, WireHost {
  readonly connection: Connection;
  readonly log: Logger;
  /** `startup`: the host may have a private address. */
  readonly source: 'startup' | 'request';
}

/** Asks a model, and once more if its answer does not fit the schema. Rejects with a `ModelFailure` or a `PlatenError`. */
export async function answer(request: ModelRequest, asking: Asking): Promise<Answer> {
  const { connection } = asking;
  const { schema, lenient } = request;
  const { wire } = connection.route;
  const format = schema === undefined ? undefined : formatOf(schema, { rules: 'schemas' in wire ? wire.schemas : undefined, lenient });
  const send = createSend(asking, { system: request.system, schema: format?.sent });
  const first = await send(request.messages);
  const { answer: text } = splitThoughts(first.text);
  if (format === undefined) {
    if (text === '' && first.text !== '') throw invalidOutput(connection, 'has nothing but thoughts');
    return { text, value: undefined, usage: first.total, model: connection.model };
  }
  const read = async (reply: WireReply) => {
    try {
      return await format.read(reply, asking.signal);
    } catch (cause) {
      asking.signal.throwIfAborted();
      if (!isLimit(cause)) throw cause;
      throw invalidOutput(connection, 'takes too much time or memory to validate', cause);
    }
  };
  const result = await read(first);
  if ('value' in result) return { text, value: result.value, usage: first.total, model: connection.model };
  const second = await send([...request.messages, ...repairTurn(first, result.problems)]);
  const repaired = await read(second);
  if ('problems' in repaired) throw invalidOutput(connection, `does not fit the schema: ${connection.redact(repaired.problems)}`);
  return { text: splitThoughts(second.text).answer, value: repaired.value, usage: second.total, model: connection.model };
}

function isLimit(error: unknown): boolean {
  return isOutOfMemory(error) || (error instanceof Error && error.name === 'TimeoutError');
}

/** Shows the model its answer and the errors. */
function repairTurn({ text, value }: WireReply, problems: string): readonly Message[] {
  const { answer: said } = splitThoughts(text);
  const given = said !== '' ? said : value === undefined ? '(empty)' : JSON.stringify(value);
  const request = `Your answer is not valid: ${problems}. Answer again, with nothing but JSON that fits the schema.`;
  return [
    { role: 'assistant', parts: [{ text: given }] },
    { role: 'user', parts: [{ text: request }] },
  ];
}

/** Sends the messages of one request; the replies have the usage so far. */
function createSend(
  { connection, outbound, log, source, signal, timeoutMs, onUsage }: Asking,
  fixed: Pick<WireCall, 'system' | 'schema'>,
): (messages: readonly Message[]) => Promise<WireReply & { readonly total: Usage }> {
  const { model, name, vision, temperature, maxTokens, options, route, redact } = connection;
  const deadlineAt = performance.now() + timeoutMs;
  let total = NO_USAGE;
  return async (messages) => {
    const started = performance.now();
    const shown = vision ? messages : messages.map(withoutImages);
    const call = {
      model,
      temperature,
      maxTokens,
      options,
      isOtherHost: 'isOtherHost' in route && route.isOtherHost,
      ...fixed,
      messages: shown,
    };
    const onRetry = (failure: ModelFailure, waitMs: number) => {
      const cause = failure.cause instanceof Error ? { cause: redact(failure.cause.message) } : {};
      log.warn({ model: name, reason: failure.message, wait_ms: Math.round(waitMs), ...cause }, 'a call of a language model is retried');
    };
    const reply = await sendCall(call, { connection, outbound, namedByOperator: source === 'startup', signal, deadlineAt, onRetry });
    const usage = { ...reply.usage, calls: 1 };
    total = addUsage(total, usage);
    countUsage(registryOf({ outbound }), name, { source, used: usage });
    onUsage?.(usage);
    log.debug({ model: name, ms: Math.round(performance.now() - started), ...usage }, 'a language model was called');
    if (reply.finish === 'length') throw invalidOutput(connection, 'was cut at a token limit (option "max_tokens")');
    if (reply.finish === 'refused') throw invalidOutput(connection, 'is a refusal, by the model or a filter of its provider');
    return { ...reply, total };
  };
}

function withoutImages(message: Message): Message {
  return { ...message, parts: message.parts.filter((part) => 'text' in part) };
}

function invalidOutput({ name, protocol }: Connection, what: string, cause?: unknown): PlatenError {
  return new PlatenError('llm_output_invalid', `the answer of the model "${name}" (${protocol}) ${what}`, { cause });
}
