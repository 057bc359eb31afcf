import { inspect } from 'node:util';
import { type Logger, silentLogger } from '@platen/kernel';
import { checkModel, type Usage } from '@platen/lib-models';
import { describe, expect, it } from 'vitest';
import { createOutbound } from '../../../../kernel/src/egress/outbound.js';
import { createPolicy } from '../../../../plugins/service/egress/src/policy.js';
import { DIALECTS, type Protocol } from '../../../helpers/model-dialects.js';
import { openModelServer } from '../../../helpers/model-server.js';
import { collectLog, COUNT, errorOf, HELLO, KEY, NOW, open, openModels, type OpenOptions, SCHEMA, within } from './open-models.js';

// Objects of the dialects' own keys.
const PROTOCOLS = Object.keys(DIALECTS) as Protocol[];
describe.each(PROTOCOLS)('a model of %s', (protocol) => {
  it('answers, with its usage', async () => {
    await using opened = await open(protocol, [{ text: 'Hi' }]);
    const answer = await opened.model.ask(HELLO, within());
    expect(answer).toMatchObject({ text: 'Hi', value: undefined, model: 'test', usage: { input: 100, output: 20, calls: 1 } });
    expect(opened.server.seen).toMatchObject([{ key: KEY, model: 'test' }]);
  });

  it.each([
    ['429, as soon as it says', { status: 429, headers: NOW }],
    ['503, at the date that it says', { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } }],
    ['529', { status: 529, headers: NOW }],
    ['500', { status: 500, headers: NOW }],
    ['a body that is cut', 'cut'],
    ['JSON that is cut', 'cut json'],
  ] as const)('is asked again after %s', async (_, step) => {
    await using opened = await open(protocol, [step, { text: 'Hi' }]);
    const answer = await opened.model.ask(HELLO, within());
    expect(answer).toMatchObject({ text: 'Hi', usage: { calls: 1 } });
    expect(opened.server.seen).toHaveLength(2);
  });

  it.each([
    ['prose around it', { text: 'Sure:\n```json\n{"n": 3}\n```\nBye' }],
    ['a comma too many', { text: '{"n": 3,}' }],
    ['keys without quotes', { text: '{n: 3}' }],
  ])('gives a value from JSON with %s', async (_, step) => {
    await using opened = await open(protocol, [step]);
    expect(await opened.model.ask(COUNT, within())).toMatchObject({ value: { n: 3 }, usage: { calls: 1 } });
  });

  it.each([
    ['wrong', { value: { n: 'three' } }, '/n must be integer', '{"n":"three"}'],
    ['not JSON', { text: 'Three.' }, 'it is not JSON', 'Three.'],
  ])('repairs an answer that is %s, once', async (_, step, problem, shown) => {
    const usages: Usage[] = [];
    await using opened = await open(protocol, [step, { value: { n: 3 } }]);
    const options = { ...within(), onUsage: (usage: Usage) => void usages.push(usage) };
    expect(await opened.model.ask(COUNT, options)).toMatchObject({ value: { n: 3 }, usage: { input: 200, output: 40, calls: 2 } });
    expect(usages).toHaveLength(2);
    const [first, second] = opened.server.seen;
    expect(second).toMatchObject({ system: 'Count.', schema: SCHEMA });
    expect(second?.messages.slice(0, 1)).toEqual(first?.messages);
    expect(second?.messages.slice(1)).toMatchObject([
      { role: 'assistant', texts: [shown] },
      { role: 'user', texts: [expect.stringContaining(problem)] },
    ]);
  });

  it('fails where the repair is wrong too', async () => {
    await using opened = await open(protocol, [{ value: {} }, { value: { n: null } }]);
    const error = await errorOf(opened.model.ask(COUNT, within()));
    expect(error).toMatchObject({ code: 'llm_output_invalid', status: 502 });
    expect(error.message).toBe(`the answer of the model "test" (${protocol}) does not fit the schema: /n must be integer`);
  });

  it('fails at a wrong key, which is echoed and shown nowhere', async () => {
    const { log, lines } = collectLog();
    await using opened = await open(protocol, [{ status: 401, body: `Incorrect API key provided: ${KEY}` }], { log });
    const error = await errorOf(opened.model.ask(HELLO, within()));
    expect(error).toMatchObject({ code: 'llm_upstream', status: 502, details: { retryable: false } });
    expect(error.message).toBe(`the model "test" (${protocol}) responded with status 401: check the key`);
    const shown = [
      inspect(error, { depth: 20, showHidden: true }),
      ...lines,
      inspect(opened.model, { depth: 20, showHidden: true }),
    ].join();
    for (const form of [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64'), '127.0.0.1']) expect(shown).not.toContain(form);
  });

  it('ends with its time, and with its signal', async () => {
    await using opened = await open(protocol, ['hang', 'hang']);
    expect(await errorOf(opened.model.ask(HELLO, within(50.5)))).toMatchObject({
      code: 'llm_upstream',
      message: /did not respond in time/,
    });
    const controller = new AbortController();
    const asked = opened.model.ask(HELLO, { signal: controller.signal, timeoutMs: 60_000 });
    await opened.server.hanging;
    controller.abort(new Error('the client left'));
    await expect(asked).rejects.toThrow('the client left');
  });
});

describe('retries', () => {
  it('end after three attempts', async () => {
    await using opened = await open(
      'openai',
      Array.from({ length: 9 }, () => ({ status: 500, headers: NOW })),
    );
    expect(await errorOf(opened.model.ask(HELLO, within()))).toMatchObject({ code: 'llm_upstream', details: { retryable: true } });
    expect(opened.server.seen).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 422, 302, 204])('do not follow a %i', async (status) => {
    await using opened = await open('openai', [{ status, headers: { location: '/elsewhere', ...NOW } }]);
    const error = await errorOf(opened.model.ask(HELLO, within()));
    expect(error).toMatchObject({ code: 'llm_upstream', details: { retryable: false } });
    expect(opened.server.arrivals).toHaveLength(1);
  });

  it('wait as long as the provider asks', async () => {
    await using opened = await open('openai', [{ status: 429, headers: { 'retry-after': '1' } }, { text: 'Hi' }]);
    await opened.model.ask(HELLO, within());
    const [first = 0, second = 0] = opened.server.arrivals;
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  it('are left where the provider asks for more time than there is', async () => {
    await using opened = await open('openai', [{ status: 429, headers: { 'retry-after': '3600' } }]);
    const error = await errorOf(opened.model.ask(HELLO, within()));
    expect(error).toMatchObject({ code: 'llm_upstream', details: { retryable: true, retry_after: 3600 } });
  });

  it('end with the signal', async () => {
    const controller = new AbortController();
    const log: Logger = {
      ...silentLogger,
      warn: () => {
        controller.abort(new Error('the client left'));
      },
    };
    await using opened = await open('openai', [{ status: 429, headers: { 'retry-after': '30' } }], { log });
    await expect(opened.model.ask(HELLO, { signal: controller.signal, timeoutMs: 60_000 })).rejects.toThrow('the client left');
  });
});

describe('providers that decline', () => {
  const reply = (body: unknown) => [{ status: 200, body: JSON.stringify(body) }];
  it.each([
    ['openai', { choices: [{ message: { content: null, refusal: 'I cannot' }, finish_reason: 'stop' }] }],
    ['openai', { choices: [{ message: { content: '' }, finish_reason: 'content_filter' }] }],
    ['anthropic', { content: [], stop_reason: 'refusal' }],
    ['google', { promptFeedback: { blockReason: 'SAFETY' } }],
    ['google', { candidates: [{ finishReason: 'RECITATION' }] }],
  ] as const)('%s: %j', async (protocol, body) => {
    // A blocked prompt of Google has no candidate.
    await using opened = await open(protocol, reply(body));
    expect(await errorOf(opened.model.ask(HELLO, within()))).toMatchObject({ code: 'llm_output_invalid', message: /is a refusal/ });
  });
});

it('sends what each provider has of its own', async () => {
  const bodies: unknown[] = [];
  const noting: OpenOptions['outbound'] = {
    fetch: (_, { body }) => {
      bodies.push(JSON.parse(String(body)));
      return Promise.reject(new Error('enough'));
    },
  };
  const models = openModels({ outbound: noting });
  const stable = { messages: [{ role: 'user', parts: [{ text: 'a' }, { text: 'b' }], stable: true }] } as const;
  for (const text of [
    'openai://k@?model=m&max_tokens=5',
    'openai://k@api.openai.com/v1?model=m&max_tokens=5',
    'openai://h?model=m&max_tokens=5',
    'anthropic',
    'ollama://h?model=m&num_ctx=8192&think=false',
    'ollama://h?model=m&think=low',
    'openai://h?model=m&reasoning_effort=minimal',
  ]) {
    await expect(models.open(text, { source: 'startup', name: 'f' }).ask({ ...stable, system: 's' }, within())).rejects.toThrow('enough');
  }
  const cached = { cache_control: { type: 'ephemeral' } };
  expect(bodies).toMatchObject([
    { max_completion_tokens: 5 },
    { max_completion_tokens: 5 },
    { max_tokens: 5, messages: [{ role: 'system' }, { role: 'user', content: 'a\nb' }] },
    {
      max_tokens: 8192,
      system: [cached],
      messages: [
        {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b', ...cached },
          ],
        },
      ],
    },
    { options: { num_ctx: 8192 }, stream: false, think: false },
    { think: 'low' },
    { reasoning_effort: 'minimal' },
  ]);
});

it.each([
  ['openai', { choices: [{ message: { content: null }, finish_reason: 'length' }] }],
  ['anthropic', { content: [], stop_reason: 'model_context_window_exceeded' }],
] as const)('reports an answer of %s without text as cut: %j', async (protocol, body) => {
  await using opened = await open(protocol, [{ status: 200, body: JSON.stringify(body) }]);
  expect(await errorOf(opened.model.ask(HELLO, within()))).toMatchObject({ code: 'llm_output_invalid', message: /was cut/ });
});

describe('the rules for addresses', () => {
  const blocking = () => {
    const outbound = createOutbound({ addressFilters: [] });
    const settings = { blockPrivate: true, allowed: [], lists: [] };
    outbound.addAddressFilter(createPolicy({ settings, log: silentLogger, outbound }).filterAddress);
    return outbound;
  };

  it('refuse a private address that a request names, and say so', async () => {
    await using opened = await open('openai', [{ text: 'Hi' }], { outbound: blocking() });
    expect(await errorOf(opened.model.ask(HELLO, within()))).toMatchObject({
      code: 'target_blocked',
      message: 'the model "test" (openai) may not be requested: 127.0.0.1 is a loopback address (--block-private-ips)',
    });
    expect(opened.server.arrivals).toEqual([]);
  });

  it('let the operator name one', async () => {
    await using server = await openModelServer('openai', [{ text: 'Hi' }]);
    const model = openModels({ outbound: blocking() }).open(server.connection(), { source: 'startup', name: 'llm-format-model' });
    expect(await model.ask(HELLO, within())).toMatchObject({ text: 'Hi' });
  });

  it.each(['startup', 'request'] as const)('refuse metadata services and blocklists always: %s', async (source) => {
    const outbound = createOutbound({ addressFilters: [({ address }) => (address === '10.9.9.9' ? 'it is on a list' : undefined)] });
    const models = openModels({ outbound });
    for (const host of ['169.254.169.254', '10.9.9.9']) {
      const error = await errorOf(models.open(`openai://${host}?model=m&tls=false`, { source, name: 'n' }).ask(HELLO, within()));
      expect(error).toMatchObject({ code: source === 'request' ? 'target_blocked' : 'llm_upstream' });
      // A client does not learn the host of the operator's model, nor the rule.
      if (source === 'startup') expect(error.message).toBe('the model "m" (openai) has an address that the rules of this server refuse');
    }
  });
});

describe('a check of a model', () => {
  it.each([
    ['an answer', { text: 'ok' }],
    ['an answer that was cut', { text: '', finish: 'length' }],
  ] as const)('takes %s', async (_, step) => {
    await using opened = await open('openai', [step]);
    await checkModel(opened.model, within());
    expect(opened.server.seen[0]?.messages).toEqual([{ role: 'user', texts: ['Reply with the word "ok".'], images: [] }]);
  });

  it('rejects otherwise', async () => {
    await using opened = await open('openai', [{ status: 401 }]);
    await expect(checkModel(opened.model, within())).rejects.toThrow('check the key');
  });
});
