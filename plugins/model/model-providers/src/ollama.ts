import { definePlugin } from '@platen/kernel';
import { countAt, type HttpWire, memberAt, type Message, messageTextAt, registerWire } from '@platen/lib-models';

/** `POST /api/chat` of Ollama. */
const OLLAMA: HttpWire = {
  protocol: 'ollama',
  defaultModel: 'gemma3',
  host: '127.0.0.1:11434',
  basePath: '',
  // Ollama silently cuts prompts that are longer than its context.
  options: ['num_ctx', 'think'],
  // For proxies in front of Ollama, which has no keys itself.
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  path: () => '/api/chat',
  encode: ({ model, system, messages, schema, temperature, maxTokens, options }) => ({
    model,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages.map(encodeMessage)],
    // Responses are streamed by default.
    stream: false,
    ...(schema === undefined ? {} : { format: schema }),
    ...(options['think'] === undefined ? {} : { think: toThink(options['think'][0]) }),
    options: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { num_predict: maxTokens }),
      ...(options['num_ctx']?.[0] === undefined ? {} : { num_ctx: Number(options['num_ctx'][0]) }),
    },
  }),
  decode: (body) => ({
    text: messageTextAt(body, 'message'),
    finish: memberAt(body, 'done_reason') === 'length' ? 'length' : 'stop',
    usage: { input: countAt(body, 'prompt_eval_count'), output: countAt(body, 'eval_count'), cached: 0 },
  }),
};

export default definePlugin({
  name: 'ollama',
  apply(api) {
    registerWire(api, OLLAMA);
  },
});

/** `true`, `false`, or a level for models that have one. */
function toThink(text: string | undefined): unknown {
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

function encodeMessage({ role, parts }: Message): object {
  const images = parts.flatMap((part) => ('image' in part ? [part.image.toString('base64')] : []));
  const content = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
  return { role, content, ...(images.length === 0 ? {} : { images }) };
}
