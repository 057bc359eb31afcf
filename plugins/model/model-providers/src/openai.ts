import { definePlugin } from '@platen/kernel';
import {
  countAt,
  type HttpWire,
  mediaTypeOf,
  memberAt,
  type Message,
  messageTextAt,
  registerWire,
  type WireCall,
} from '@platen/lib-models';

/** `POST /chat/completions` of OpenAI's API, which many other servers provide too. */
const OPENAI: HttpWire = {
  protocol: 'openai',
  defaultModel: 'gpt-5-mini',
  host: 'api.openai.com',
  basePath: '/v1',
  keyVariable: 'OPENAI_API_KEY',
  options: ['reasoning_effort'],
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  path: () => '/chat/completions',
  encode: ({ model, system, messages, schema, temperature, maxTokens, options, isOtherHost }) => ({
    model,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages.map(encodeMessage)],
    stream: false,
    ...(temperature === undefined ? {} : { temperature }),
    // OpenAI's reasoning models accept only the newer name, other servers often only the older one.
    ...(maxTokens === undefined ? {} : { [isOtherHost ? 'max_tokens' : 'max_completion_tokens']: maxTokens }),
    ...(options['reasoning_effort'] === undefined ? {} : { reasoning_effort: options['reasoning_effort'][0] }),
    ...encodeSchema(schema),
  }),
  decode(body) {
    const choice = memberAt(body, 'choices', 0);
    const refused = typeof memberAt(choice, 'message', 'refusal') === 'string' || memberAt(choice, 'finish_reason') === 'content_filter';
    return {
      // Reasoning models that used up their tokens have none.
      text: refused ? '' : messageTextAt(choice, 'message'),
      finish: refused ? 'refused' : memberAt(choice, 'finish_reason') === 'length' ? 'length' : 'stop',
      usage: {
        input: countAt(body, 'usage', 'prompt_tokens'),
        output: countAt(body, 'usage', 'completion_tokens'),
        cached: countAt(body, 'usage', 'prompt_tokens_details', 'cached_tokens'),
      },
    };
  },
};

export default definePlugin({
  name: 'openai',
  apply(api) {
    registerWire(api, OPENAI);
  },
});

/** Not `strict`, which refuses many valid schemas: the answer is validated anyway. */
function encodeSchema(schema: WireCall['schema']): object {
  return schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
}

/** A plain text where possible: not every compatible server accepts parts. */
function encodeMessage({ role, parts }: Message): object {
  if (parts.every((part) => 'text' in part)) return { role, content: parts.map(({ text }) => text).join('\n') };
  const content = parts.map((part) =>
    'text' in part
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${mediaTypeOf(part.image)};base64,${part.image.toString('base64')}` } },
  );
  return { role, content };
}
