import { definePlugin } from '@platen/kernel';
import {
  countAt,
  type HttpWire,
  listAt,
  mediaTypeOf,
  memberAt,
  type Message,
  registerWire,
  textAt,
  type WireCall,
} from '@platen/lib-models';

/** The API requires a limit. */
const DEFAULT_MAX_TOKENS = 8192;
const TOOL = 'answer';
const CUT: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded']);
/** Marks the end of a part that is the same in the next request. */
const CACHED = { cache_control: { type: 'ephemeral' } };

/** `POST /messages` of Anthropic's API. */
const ANTHROPIC: HttpWire = {
  protocol: 'anthropic',
  defaultModel: 'claude-sonnet-4-5',
  host: 'api.anthropic.com',
  basePath: '/v1',
  keyVariable: 'ANTHROPIC_API_KEY',
  authorize: (key) => ({ 'x-api-key': key }),
  headers: { 'anthropic-version': '2023-06-01' },
  schemas: { names: /^[\w.-]{1,64}$/ },
  path: () => '/messages',
  encode: ({ model, system, messages, schema, temperature, maxTokens = DEFAULT_MAX_TOKENS }) => ({
    model,
    max_tokens: maxTokens,
    ...(system === undefined ? {} : { system: [{ type: 'text', text: system, ...CACHED }] }),
    messages: messages.map(encodeMessage),
    ...(temperature === undefined ? {} : { temperature }),
    ...encodeSchema(schema),
  }),
  decode(body) {
    const blocks = listAt(body, 'content');
    const call = blocks.find((block) => memberAt(block, 'type') === 'tool_use');
    const reason = textAt(body, 'stop_reason');
    const [fresh, cached] = [countAt(body, 'usage', 'input_tokens'), countAt(body, 'usage', 'cache_read_input_tokens')];
    return {
      text: blocks.flatMap((block) => (memberAt(block, 'type') === 'text' ? [textAt(block, 'text')] : [])).join('\n'),
      ...(call === undefined ? {} : { value: memberAt(call, 'input') }),
      finish: reason === 'refusal' ? 'refused' : CUT.has(reason) ? 'length' : 'stop',
      usage: {
        input: fresh + cached + countAt(body, 'usage', 'cache_creation_input_tokens'),
        output: countAt(body, 'usage', 'output_tokens'),
        cached,
      },
    };
  },
};

export default definePlugin({
  name: 'anthropic',
  apply(api) {
    registerWire(api, ANTHROPIC);
  },
});

/** A structured answer is the input of a tool that the model must call. */
function encodeSchema(schema: WireCall['schema']): object {
  if (schema === undefined) return {};
  return {
    tools: [{ name: TOOL, description: 'Gives the answer.', input_schema: schema }],
    tool_choice: { type: 'tool', name: TOOL, disable_parallel_tool_use: true },
  };
}

function encodeMessage({ role, parts, stable = false }: Message): object {
  const content = parts.map((part, index) => ({
    ...encodePart(part),
    ...(stable && index === parts.length - 1 ? CACHED : {}),
  }));
  return { role, content };
}

function encodePart(part: Message['parts'][number]): object {
  if ('text' in part) return { type: 'text', text: part.text };
  return { type: 'image', source: { type: 'base64', media_type: mediaTypeOf(part.image), data: part.image.toString('base64') } };
}
