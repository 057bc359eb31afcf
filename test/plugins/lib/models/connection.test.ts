import { inspect } from 'node:util';
import { PlatenError } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { parseConnection, type ConnectionContext } from '../../../../plugins/lib/models/src/connection.js';
import { registryOf, registerWire } from '@platen/lib-models';
import { openModels } from './open-models.js';

const outbound = { fetch: () => Promise.reject(new Error('nothing is sent')) };
openModels({ outbound });
const { wires } = registryOf({ outbound });

const parse = (text: string, context: Partial<ConnectionContext> = {}) =>
  parseConnection(text, { wires, source: 'startup', environment: {}, ...context });

/** The URL that a connection leads to, with its key's header fields. */
function routeOf(text: string, environment: Readonly<Record<string, string>> = {}) {
  const { route } = parse(text, { environment });
  if (!('base' in route)) throw new Error('a local route');
  return { base: route.base, ...route.authorize() };
}

describe('a connection string leads to', () => {
  it.each([
    ['openai://api.example/v1?model=m', { base: 'https://api.example/v1' }],
    ['openai://sk@api.example:8443/llm/v2/?model=m', { base: 'https://api.example:8443/llm/v2', authorization: 'Bearer sk' }],
    ['openai://api.example?model=m', { base: 'https://api.example/v1' }],
    ['openai://api.example/?model=m', { base: 'https://api.example' }],
    ['OpenAI://s%40k%2F@api.example?model=m', { base: 'https://api.example/v1', authorization: 'Bearer s@k/' }],
    ['openai://sk@?model=m', { base: 'https://api.openai.com/v1', authorization: 'Bearer sk' }],
    ['openai', { base: 'https://api.openai.com/v1' }],
    ['anthropic://sk@127.0.0.1:99?model=m', { base: 'http://127.0.0.1:99/v1', 'x-api-key': 'sk' }],
    ['anthropic://127.0.0.1:99?model=m&tls=true', { base: 'https://127.0.0.1:99/v1' }],
    ['google://sk@[::1]:99/v1beta?model=m', { base: 'http://[::1]:99/v1beta', 'x-goog-api-key': 'sk' }],
    ['google://[2001:db8::1]?model=m', { base: 'https://[2001:db8::1]/v1beta' }],
    ['ollama://localhost:99?model=m', { base: 'https://localhost:99' }],
    ['ollama://localhost:99?model=m&tls=false', { base: 'http://localhost:99' }],
    ['ollama', { base: 'http://127.0.0.1:11434' }],
  ])('%s', (text, expected) => {
    expect(routeOf(text)).toEqual(expected);
  });

  it('a local program by its path', () => {
    expect(parse('stdio:///opt/my%20model?model=m&arg=-v&arg=2').route).toMatchObject({ path: '/opt/my model' });
    expect(parse('stdio:///opt/model?arg=-v&arg=2')).toMatchObject({ model: 'default', options: { arg: ['-v', '2'] } });
  });
});

describe("the environment's key is sent", () => {
  const environment = { OPENAI_API_KEY: ' sk-env\n', ANTHROPIC_API_KEY: 'a', GEMINI_API_KEY: 'g' };
  it.each([
    ['openai', { authorization: 'Bearer sk-env' }],
    ['openai://?model=m', { authorization: 'Bearer sk-env' }],
    ['anthropic', { 'x-api-key': 'a' }],
    ['google', { 'x-goog-api-key': 'g' }],
    ['openai://own@?model=m', { authorization: 'Bearer own' }],
  ])('to the own host of the provider: %s', (text, expected) => {
    expect(routeOf(text, environment)).toMatchObject(expected);
  });

  it.each(['openai://attacker.example?model=m', 'openai://@attacker.example/v1?model=m', 'openai://api.openai.com.evil.example?model=m'])(
    'to no other host: %s',
    (text) => {
      expect(Object.keys(routeOf(text, environment))).toEqual(['base']);
    },
  );
});

it('has options, with defaults', () => {
  expect(
    parse('ollama://h?model=a/b:c@1.2&name=big one&when=the%20page+is+hard&writer=true&escalate=false&vision=false&num_ctx=8192'),
  ).toMatchObject({
    ...{ model: 'a/b:c@1.2', name: 'big one', when: 'the page is hard', writer: true, escalate: false, vision: false },
    options: { num_ctx: ['8192'] },
  });
  const defaults = { name: 'm', vision: true, writer: false, escalate: undefined, when: undefined, temperature: undefined };
  expect(parse('openai://h?model=m&max_tokens=100')).toMatchObject({ ...defaults, maxTokens: 100 });
});

const OPTIONS = 'model, name, when, writer, escalate, vision, tls, temperature, max_tokens';

describe('refuses', () => {
  it.each([
    ['openai://h/v1', 'lacks the option "model"'],
    ['openai://h?model=', 'has an invalid option "model": it is at most 128 letters, digits and . _ : / @ + -'],
    ['openai://h?model=a%0d%0ab', 'has an invalid option "model": it is at most 128 letters, digits and . _ : / @ + -'],
    ['openai://h?model=m&model=n', 'has the option "model" twice'],
    ['openai://h?model=m&temprature=1', `has an unknown option "temprature": the options are ${OPTIONS}, reasoning_effort`],
    ['openai://h?model=m&num_ctx=1', `has an unknown option "num_ctx": the options are ${OPTIONS}, reasoning_effort`],
    ['ollama://h?model=m&x=1', `has an unknown option "x": the options are ${OPTIONS}, num_ctx, think`],
    ['openai://h?model=m&temperature=3', 'has an invalid option "temperature": it is a number from 0 to 2'],
    ['openai://h?model=m&temperature=1e0', 'has an invalid option "temperature": it is a number from 0 to 2'],
    ['openai://h?model=m&max_tokens=0', 'has an invalid option "max_tokens": it is an integer from 1 to 9999999'],
    ['openai://h?model=m&vision=no', 'has an invalid option "vision": it is true or false'],
    ['openai://?model=m&tls=false', 'has tls=false but no host'],
    ['openai://a b?model=m', 'has an invalid host'],
    ['openai://h:99999?model=m', 'has an invalid host'],
    ['openai://%zz@h?model=m', 'has a % that begins no percent-encoded character: write it as %25'],
    ['openai://k%0ax@h?model=m', 'has a key with characters other than visible ASCII'],
    ['mistral://h?model=m', 'has an unknown protocol: use one of openai, anthropic, google, ollama, stdio'],
    ['stdio', 'must name a program by its absolute path, without host and key: stdio:///path/to/program'],
    ['stdio://model?model=m', 'must name a program by its absolute path, without host and key: stdio:///path/to/program'],
    ['stdio://key@/bin/model?model=m', 'must name a program by its absolute path, without host and key: stdio:///path/to/program'],
  ])('%s', (text, message) => {
    expect(() => parse(text)).toThrow(new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`));
  });

  it('a local program of a request', () => {
    expect(() => parse('stdio:///bin/sh?arg=-c', { source: 'request' })).toThrow(/^may not use the protocol "stdio": only the operator/);
  });

  it('names the parameter or the flag', () => {
    const models = openModels();
    const thrown = (source: 'request' | 'startup', name: string) => {
      try {
        return models.open('stdio:///bin/sh', { source, name });
      } catch (error) {
        return error;
      }
    };
    expect(thrown('request', 'llm_format_model')).toMatchObject({
      code: 'invalid_parameters',
      status: 400,
      details: { errors: [{ parameter: 'llm_format_model' }] },
    });
    expect(() => models.open('nope', { source: 'startup', name: 'llm-format-model' })).toThrow(
      expect.objectContaining({
        code: 'boot_invalid_flag',
        message: expect.stringMatching(/^--llm-format-model must be <protocol>/) as string,
      }),
    );
  });
});

describe('never shows the key', () => {
  const KEY = 'sk-Secret_0123456789';
  it.each([
    KEY,
    `openai://${KEY}`,
    `openai://${KEY}/x@h?model=m`,
    `openai://${KEY}?x@h?model=m`,
    `openai://${KEY}#x@h?model=m`,
    `openai://${KEY}%@h?model=m`,
    `openai://${KEY}%20@h?model=m`,
    `openai://${KEY}@h:x?model=m`,
    `openai://${KEY}@h?modell=m`,
    `openai://h?model=m&${KEY}=1`,
    `openai://h?model=m&key=${KEY}`,
    `openai://h?model=${KEY}!`,
    `${KEY}://h?model=m`,
    `stdio://${KEY}@/bin/model`,
  ])('in the error of %s', (text) => {
    let error: unknown;
    try {
      parse(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: 20 }).replace(/\n {4}at .*/g, '')).not.toContain(KEY);
  });

  it('in a print of the connection or the model', () => {
    const text = `openai://${KEY}@h?model=m`;
    const model = openModels().open(text, { source: 'startup', name: 'f' });
    for (const value of [parse(text), model]) {
      const shown = [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), JSON.stringify({ ...value })];
      expect(shown.join('\n')).not.toContain(KEY);
    }
    expect(model.redact(`a ${KEY} b ${Buffer.from(KEY).toString('base64')}`)).toBe('a *** b ***=');
  });
});

describe('a provider is refused', () => {
  const wire = wires.get('ollama');
  if (wire === undefined) throw new Error('no wire');

  it('whose protocol is another one of the same name', () => {
    expect(() => {
      registerWire({ outbound }, wire);
    }).toThrow(PlatenError);
  });

  it.each(['My', '1st', 'a b', ''])('whose protocol is "%s"', (protocol) => {
    expect(() => {
      registerWire({ outbound: { ...outbound } }, { ...wire, protocol });
    }).toThrow('lower-case letters');
  });
});
