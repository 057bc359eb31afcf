import { definePlugin } from '@platen/kernel';
import {
  countAt,
  errorTextAt,
  type LocalWire,
  mediaTypeOf,
  memberAt,
  type Message,
  ModelFailure,
  registerWire,
  textAt,
  type WireCall,
  type WireReply,
} from '@platen/lib-models';
import { openProgram, type Program } from './program.js';

/** Characters of an error that are logged. */
const MAX_ERROR = 500;

export default definePlugin({
  name: 'stdio',
  apply(api) {
    registerWire(api, createStdioWire());
  },
});

/** One program for each path with its arguments, started at its first request. */
function createStdioWire(): LocalWire {
  const programs = new Map<string, Program>();
  return {
    protocol: 'stdio',
    defaultModel: 'default',
    options: ['arg'],
    async send({ path, options, ...call }, signal) {
      const args = options['arg'] ?? [];
      const id = JSON.stringify([path, ...args]);
      const program = programs.get(id) ?? openProgram(path, args);
      programs.set(id, program);
      return decode(await program.request(encode(call), signal));
    },
    close() {
      for (const program of programs.values()) program.close();
      programs.clear();
    },
  };
}

function encode({ model, system, messages, schema, temperature, maxTokens }: Omit<WireCall, 'options'>): object {
  // `undefined` members are absent in JSON.
  return { model, system, messages: messages.map(encodeMessage), schema, temperature, max_tokens: maxTokens };
}

function encodeMessage({ role, parts }: Message): object {
  const content = parts.map((part) =>
    'text' in part
      ? { type: 'text', text: part.text }
      : { type: 'image', media_type: mediaTypeOf(part.image), data: part.image.toString('base64') },
  );
  return { role, content };
}

/** The program may quote the prompt in its errors: they are for the log. */
function decode(line: unknown): WireReply {
  if (memberAt(line, 'error') !== undefined) throw new ModelFailure('reported an error', { said: errorTextAt(line)?.slice(0, MAX_ERROR) });
  const value = memberAt(line, 'value');
  const finish = memberAt(line, 'finish');
  return {
    text: value === undefined ? readText(line) : '',
    ...(value === undefined ? {} : { value }),
    finish: finish === 'length' || finish === 'refused' ? finish : 'stop',
    usage: {
      input: countAt(line, 'usage', 'input'),
      output: countAt(line, 'usage', 'output'),
      cached: countAt(line, 'usage', 'cached'),
    },
  };
}

function readText(line: unknown): string {
  try {
    return textAt(line, 'text');
  } catch (cause) {
    throw new ModelFailure('sent a response of an unknown form', { retryable: true, cause });
  }
}
