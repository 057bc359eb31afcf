import type { Dialect, ScriptedAnswer, SeenRequest } from '@platen/lib-models/testing';

// The providers' side of the wires, written by the providers' references, not by the code under test.

type Json = Readonly<Record<string, unknown>>;

/** Test data: its form is what the assertions of the tests are about. */
const json = (value: unknown): Json => (value ?? {}) as Json;
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(json) : []);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const schemaOf = (value: unknown) => (value === undefined ? undefined : json(value));
const bytes = (base64: unknown): Buffer => Buffer.from(String(base64), 'base64');
const bearer = (headers: Json): string | undefined => /^Bearer (.+)$/.exec(text(headers['authorization']) ?? '')?.[1];
const contentOf = ({ text: said, value }: ScriptedAnswer): string => said ?? (value === undefined ? '' : JSON.stringify(value));

/** A message whose content is a text, or a list of parts. */
function readMessage({ role, content }: Json, image: (part: Json) => Buffer | undefined): SeenRequest['messages'][number] {
  const parts: readonly Json[] = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    texts: parts.flatMap((part) => (part['type'] === 'text' ? [String(part['text'])] : [])),
    images: parts.flatMap((part) => image(part) ?? []),
  };
}

function expectPath(path: string, expected: RegExp): void {
  if (!expected.test(path)) throw new Error(`unexpected path ${path}`);
}

const openai: Dialect = {
  read({ path, headers, body }) {
    expectPath(path, /\/chat\/completions$/);
    const given = json(body);
    if (given['stream'] === true) throw new Error('streamed');
    const messages = list(given['messages']);
    const format = json(given['response_format']);
    const imageOf = (part: Json) => {
      const [, data] = /^data:image\/(?:png|jpeg);base64,(.+)$/.exec(text(json(part['image_url'])['url']) ?? '') ?? [];
      return data === undefined ? undefined : bytes(data);
    };
    return {
      model: String(given['model']),
      system: text(messages.find(({ role }) => role === 'system')?.['content']),
      messages: messages.filter(({ role }) => role !== 'system').map((message) => readMessage(message, imageOf)),
      schema: format['type'] === 'json_schema' ? schemaOf(json(format['json_schema'])['schema']) : undefined,
      temperature: number(given['temperature']),
      maxTokens: number(given['max_tokens'] ?? given['max_completion_tokens']),
      key: bearer(headers),
    };
  },
  write: (answer) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'test-2026',
    choices: [{ index: 0, message: { role: 'assistant', content: contentOf(answer), refusal: null }, finish_reason: answer.finish }],
    usage: {
      prompt_tokens: answer.usage.input,
      completion_tokens: answer.usage.output,
      total_tokens: answer.usage.input + answer.usage.output,
      prompt_tokens_details: { cached_tokens: answer.usage.cached },
    },
  }),
};

const anthropic: Dialect = {
  read({ path, headers, body }) {
    expectPath(path, /\/messages$/);
    if (headers['anthropic-version'] !== '2023-06-01') throw new Error('no anthropic-version');
    const given = json(body);
    const tool = list(given['tools']).find(({ name }) => name === json(given['tool_choice'])['name']);
    const imageOf = ({ type, source }: Json) => (type === 'image' ? bytes(json(source)['data']) : undefined);
    return {
      model: String(given['model']),
      system:
        list(given['system']).length === 0
          ? undefined
          : list(given['system'])
              .map((block) => text(block['text']))
              .join(''),
      messages: list(given['messages']).map((message) => readMessage(message, imageOf)),
      schema: schemaOf(tool?.['input_schema']),
      temperature: number(given['temperature']),
      maxTokens: number(given['max_tokens']),
      key: text(headers['x-api-key']),
    };
  },
  write: ({ text: said, value, finish, usage }) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [
      ...(said === undefined ? [] : [{ type: 'text', text: said }]),
      ...(value === undefined ? [] : [{ type: 'tool_use', id: 'toolu_1', name: 'answer', input: value }]),
    ],
    stop_reason: finish === 'length' ? 'max_tokens' : value === undefined ? 'end_turn' : 'tool_use',
    usage: {
      input_tokens: usage.input - usage.cached,
      cache_read_input_tokens: usage.cached,
      cache_creation_input_tokens: 0,
      output_tokens: usage.output,
    },
  }),
};

const google: Dialect = {
  read({ path, headers, body }) {
    const [, model] = /\/models\/([^/:]+):generateContent$/.exec(path) ?? [];
    if (model === undefined) throw new Error(`unexpected path ${path}`);
    const given = json(body);
    const config = json(given['generationConfig']);
    return {
      model: decodeURIComponent(model),
      system: text(list(json(given['systemInstruction'])['parts'])[0]?.['text']),
      messages: list(given['contents']).map(({ role, parts }) => ({
        role: role === 'model' ? 'assistant' : 'user',
        texts: list(parts).flatMap((part) => text(part['text']) ?? []),
        images: list(parts).flatMap((part) => ('inlineData' in part ? [bytes(json(part['inlineData'])['data'])] : [])),
      })),
      schema:
        config['responseMimeType'] === 'application/json' ? schemaOf(config['responseSchema'] ?? config['responseJsonSchema']) : undefined,
      temperature: number(config['temperature']),
      maxTokens: number(config['maxOutputTokens']),
      key: text(headers['x-goog-api-key']),
    };
  },
  write: (answer) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text: contentOf(answer) }] },
        finishReason: answer.finish === 'length' ? 'MAX_TOKENS' : 'STOP',
      },
    ],
    usageMetadata: {
      promptTokenCount: answer.usage.input,
      candidatesTokenCount: answer.usage.output,
      cachedContentTokenCount: answer.usage.cached,
    },
    modelVersion: 'test-001',
  }),
};

const ollama: Dialect = {
  read({ path, headers, body }) {
    expectPath(path, /\/api\/chat$/);
    const given = json(body);
    if (given['stream'] !== false) throw new Error('streamed');
    const messages = list(given['messages']);
    const options = json(given['options']);
    return {
      model: String(given['model']),
      system: text(messages.find(({ role }) => role === 'system')?.['content']),
      messages: messages
        .filter(({ role }) => role !== 'system')
        .map((message) => ({
          ...readMessage(message, () => undefined),
          images: (Array.isArray(message['images']) ? message['images'] : []).map(bytes),
        })),
      schema: schemaOf(given['format']),
      temperature: number(options['temperature']),
      maxTokens: number(options['num_predict']),
      key: bearer(headers),
    };
  },
  write: (answer) => ({
    model: 'test',
    message: { role: 'assistant', content: contentOf(answer) },
    done: true,
    done_reason: answer.finish,
    prompt_eval_count: answer.usage.input,
    eval_count: answer.usage.output,
  }),
};

export const DIALECTS = { openai, anthropic, google, ollama } as const;
export type Protocol = keyof typeof DIALECTS;
