import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openModelServer } from '../../../helpers/model-server.js';
import { collectLog, COUNT, errorOf, HELLO, KEY, NOW, open, openModels, within } from './open-models.js';

describe('an answer', () => {
  const call = (name: string, given: unknown) => ({ id: name, type: 'function', function: { name, arguments: given } });
  it.each([
    ['openai', { content: null, tool_calls: [call('answer', '{"n": 3}')] }],
    ['openai', { content: 'I call it:', tool_calls: [call('answer', '{"n": 3}')] }],
    ['ollama', { content: '', tool_calls: [{ function: { name: 'answer', arguments: { n: 3 } } }] }],
    [
      'openai',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: '?' }] },
          { type: 'text', text: '{"n":' },
          { type: 'text', text: ' 3}' },
        ],
      },
    ],
    ['openai', { content: null, reasoning_content: 'It is {"n": 3}.' }],
    ['ollama', { content: '', thinking: 'It is {"n": 3}.' }],
    ['openai', { content: '{"n": 4}</think>[Note] {"n": 3}' }],
  ] as const)('of %s is read from %j', async (protocol, message) => {
    const body = protocol === 'openai' ? { choices: [{ message, finish_reason: 'tool_calls' }] } : { message, done_reason: 'stop' };
    await using opened = await open(protocol, [{ status: 200, body: JSON.stringify(body) }]);
    expect(await opened.model.ask(COUNT, within())).toMatchObject({ value: { n: 3 }, usage: { calls: 1 } });
  });

  it.each(['<think>Two or three?</think>\n\nThree.', '<thinking>\nTwo?\n</thinking>Three.', 'Two?\n</think>\n\nThree.'])(
    'as text is without the thoughts: %j',
    async (text) => {
      await using opened = await open('openai', [{ text }]);
      expect(await opened.model.ask(HELLO, within())).toMatchObject({ text: 'Three.' });
    },
  );

  it('of thoughts alone is not an answer', async () => {
    await using opened = await open('openai', [{ text: '<think>Two or three?' }]);
    expect(await errorOf(opened.model.ask(HELLO, within()))).toMatchObject({ code: 'llm_output_invalid', message: /nothing but thoughts/ });
  });
});

describe("a provider's own error", () => {
  it.each([
    [
      { status: 400, body: '{"error": {"message": "no model\\n\\"test\\"", "code": 7}}' },
      'responded with status 400: check the model and its options: no model "test"',
    ],
    [
      { status: 400, body: '[{"error": {"code": 400, "message": "bad"}}]' },
      'responded with status 400: check the model and its options: bad',
    ],
    [
      { status: 404, body: '{"error": "model not found"}' },
      'responded with status 404: check the host, the path and the model: model not found',
    ],
    [{ status: 422, body: '{"detail": [{"msg": "field required"}]}' }, 'responded with status 422: [{"msg":"field required"}]'],
    [{ status: 413, body: 'too long' }, 'responded with status 413: too long'],
    [{ status: 502, headers: NOW, body: '<html>Bad gateway</html>' }, 'responded with status 502'],
    [{ status: 200, body: '{"error": {"message": "no credits", "code": 402}}' }, 'responded with status 402: no credits'],
    [{ status: 200, body: '{"error": "no credits"}' }, 'sent a response with an error: no credits'],
    [
      { status: 200, body: '{"choices": [{"error": {"message": "gone", "code": 404}}]}' },
      'responded with status 404: check the host, the path and the model: gone',
    ],
  ])('is quoted: %j', async (step, message) => {
    const { log, lines } = collectLog();
    await using opened = await open('openai', [step, step, step], { log });
    expect((await errorOf(opened.model.ask(HELLO, within()))).message).toBe(`the model "test" (openai) ${message}`);
    const said = message.split(': ').at(-1) ?? '';
    if (message.includes(': ')) expect(lines.join()).toContain(said.slice(0, 8));
  });

  it.each([401, 403])('of a %i is for the log only', async (status) => {
    const { log, lines } = collectLog();
    await using opened = await open('openai', [{ status, body: '{"error": {"message": "organization org-1 is disabled"}}' }], { log });
    expect((await errorOf(opened.model.ask(HELLO, within()))).message).toMatch(/check the key$/);
    expect(lines.join()).toContain('organization org-1 is disabled');
  });

  it('is quoted without the key, and is short', async () => {
    const { log, lines } = collectLog();
    const forms = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('base64'), 'sk-Se***6789'];
    await using opened = await open(
      'openai',
      [{ status: 400, body: `{"error": ${JSON.stringify(forms.join(' ') + ' x'.repeat(9_000))}}` }],
      { log },
    );
    const error = await errorOf(opened.model.ask(HELLO, within()));
    expect(error.message).toContain(': *** *** *** *** x x');
    expect(error.message.length).toBeLessThan(700);
    const shown = inspect(error, { depth: 20, showHidden: true }) + lines.join();
    for (const form of forms) expect(shown).not.toContain(form);
  });

  it("does not name the host of the operator's model to clients", async () => {
    await using server = await openModelServer('openai', [{ status: 400, body: '{"error": "no route to 127.0.0.1:11"}' }]);
    const model = openModels().open(server.connection(), { source: 'startup', name: 'llm-format-model' });
    expect((await errorOf(model.ask(HELLO, within()))).message).toMatch(/: no route to \*\*\*:11$/);
  });

  it('in a response with status 200 is asked again if that may help', async () => {
    const busy = { status: 200, body: '{"error": {"message": "busy", "code": 429}}' };
    await using opened = await open('openai', [busy, { text: 'Hi' }]);
    expect(await opened.model.ask(HELLO, within())).toMatchObject({ text: 'Hi' });
  });
});
