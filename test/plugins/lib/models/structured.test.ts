import { checkSchema, formatOf } from '@platen/lib-models';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { findJson, splitThoughts } from '../../../../plugins/lib/models/src/find-json.js';

const { signal } = new AbortController();
const OBJECT = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false };

/** Costly to compile: a function for each. */
function alternatives(count: number) {
  const keys = Array.from({ length: count }, (_, at) => [`^k${String(at)}_`, { oneOf: [{ type: 'string' }, { type: 'number' }] }]);
  return Object.fromEntries(keys) as Record<string, unknown>;
}

describe('the JSON in a text', () => {
  it.each([
    ['{"a": 1}', { a: 1 }],
    [' [1, 2]\n', [1, 2]],
    ['"text"', 'text'],
    ['null', null],
    ['Here you are:\n```json\n{"a": [1]}\n```\nAnything else?', { a: [1] }],
    ['Sure! {"a": "x}y"} Done.', { a: 'x}y' }],
    ["{a: 1, 'b': True, // note\n}", { a: 1, b: true }],
    ['{"a": 1', { a: 1 }],
    ['The list: [1, 2,]', [1, 2]],
    ['I cannot do that.', undefined],
    ['', undefined],
  ])('%s', (text, value) => {
    expect(findJson(text).next().value).toEqual(value);
  });
});

describe('the thoughts in a text', () => {
  it.each([
    ['Chairs.', 'Chairs.', ''],
    ['<think>It is\na shop.</think>\n\nChairs.', 'Chairs.', 'It is\na shop.'],
    ['It is a shop.</think>Chairs.', 'Chairs.', 'It is a shop.'],
    ['<thinking>a</thinking>One. <THINK>b</THINK>Two.', 'One. Two.', 'ab'],
    ['<think>a <think>b</think> c</think> Chairs.', 'Chairs.', 'a b c'],
    ['[THINK]a[/THINK]Chairs.', 'Chairs.', 'a'],
    ['<think>It is', '', 'It is'],
    ['a < b </thin>', 'a < b </thin>', ''],
  ])('%j', (text, answer, thoughts) => {
    expect(splitThoughts(text)).toEqual({ answer, thoughts });
  });

  it('are found in time, however many', () => {
    expect(splitThoughts('<think>'.repeat(500_000)).answer).toBe('');
  });
});

describe('an answer', () => {
  const ACTIONS = {
    type: 'object',
    properties: {
      actions: {
        type: 'array',
        items: {
          type: 'object',
          properties: { kind: { enum: ['click', 'fill'] }, ref: { type: 'string' }, ms: { type: 'number' }, on: { type: 'boolean' } },
          required: ['kind'],
        },
      },
    },
    required: ['actions'],
  };
  const [click, fill] = [
    { kind: 'click', ref: 'e1' },
    { kind: 'fill', ref: 'e2' },
  ];
  const json = JSON.stringify({ actions: [click] });

  it.each([
    ['[Note] ' + json],
    ['I will [click it]: ' + json + ' [1]'],
    ['<answer>' + json + '</answer>'],
    ['<tool_call>' + JSON.stringify({ name: 'answer', arguments: { actions: [click] } }) + '</tool_call>'],
    [JSON.stringify({ name: 'answer', arguments: json })],
    [JSON.stringify(json)],
    ['<think>' + json + '</think>'],
    ['<think>' + json],
    ['<think>{"actions": [{"kind": "fill"}]}</think>' + json],
    ['{"actions": [{"kind": "fill"}]}</think>' + json],
    ['First {"actions": [{"kind": "fill"}]}, but no. ' + json],
    ['[Plan: ' + json + ']'],
    ['Use {this}: ```json\n{"actions": [{"kind": "click", "ref": "e1",},]}\n```'],
    ['{"actions": [{"kind": "click", "ref": "e1"'],
    [JSON.stringify({ answer: { actions: [click] } })],
    [JSON.stringify([{ actions: [click] }])],
  ])('is found in %s', async (text) => {
    expect(await formatOf(ACTIONS).read({ text }, signal)).toEqual({ value: { actions: [click] } });
  });

  it.each([
    [JSON.stringify(click), [click]],
    [JSON.stringify([click, fill]), [click, fill]],
    [JSON.stringify(click) + '\n' + JSON.stringify(fill), [click, fill]],
    ['```json\n{"kind": "click", "ref": "e1",}\n{"kind": "fill", "ref": "e2"}\n```', [click, fill]],
    [JSON.stringify({ actions: [{ ...click, ms: null, other: null }], why: null }), [click]],
    ['{"actions": [{"kind": "click", "ms": "5", "on": "true", "ref": 7}]}', [{ kind: 'click', ms: 5, on: true, ref: '7' }]],
  ])('of a lenient request may be %s', async (text, actions) => {
    expect(await formatOf(ACTIONS, { lenient: true }).read({ text }, signal)).toEqual({ value: { actions } });
    expect(await formatOf(ACTIONS).read({ text }, signal)).toMatchObject({ problems: expect.any(String) });
  });

  it('is not an action that the model only quotes', async () => {
    const text = `${json} The page contained {"kind": "fill", "ref": "e9"}, which I ignored.`;
    expect(await formatOf(ACTIONS, { lenient: true }).read({ text }, signal)).toEqual({ value: { actions: [click] } });
  });

  it('of a string is not the text of a link in it', async () => {
    const text = 'See the [guide](https://x.test/a) for the price.';
    expect(await formatOf({ type: 'string' }).read({ text }, signal)).toEqual({ value: text });
    expect(await formatOf({ type: 'string' }).read({ text: '{"answer": "x"}' }, signal)).toEqual({ value: 'x' });
    expect(await formatOf({ type: 'string' }).read({ text: 'Here: {"value": "x"}' }, signal)).toEqual({ value: 'x' });
  });

  it('may be null only by the schema', async () => {
    const { read } = formatOf({ type: 'object', properties: { a: { type: ['string', 'null'] } } });
    expect(await read({ text: '{"a": null}' }, signal)).toEqual({ value: { a: null } });
  });
});

describe('a schema', () => {
  it('of an object is sent as it is', async () => {
    const { sent, read } = formatOf({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...OBJECT });
    expect(sent).toEqual(OBJECT);
    expect(await read({ text: '{"a": 1}' }, signal)).toEqual({ value: { a: 1 } });
    expect(await read({ text: '', value: { a: 1 } }, signal)).toEqual({ value: { a: 1 } });
  });

  it('of anything else is sent within an object, whose references still lead somewhere', async () => {
    const schema = { type: 'array', items: { $ref: '#/$defs/item' }, $defs: { item: { type: 'integer' } } };
    const { sent, read } = formatOf(schema);
    expect(sent).toMatchObject({ type: 'object', required: ['value'] });
    // The independent validator accepts and refuses what the reader does.
    const validate = new Ajv2020({ strict: false }).compile(sent);
    expect([validate({ value: [1] }), validate({ value: ['x'] })]).toEqual([true, false]);
    expect(await read({ text: '{"value": [1]}' }, signal)).toEqual({ value: [1] });
    expect(await read({ text: '[2]' }, signal)).toEqual({ value: [2] });
    expect(await read({ text: '', value: { value: ['x'] } }, signal)).toEqual({ problems: '/0 must be integer' });
  });

  it.each(['{"value": "42"}', '"42"', '42', ' 42\n'])(
    'of a string is answered by it within an object, as JSON or bare: %s',
    async (text) => {
      const { read } = formatOf({ type: 'string', enum: ['yes', '42'] });
      expect(await read({ text }, signal)).toEqual({ value: '42' });
      expect(await read({ text: 'yes' }, signal)).toEqual({ value: 'yes' });
      expect(await read({ text: 'Yes, it is.' }, signal)).toMatchObject({ problems: expect.stringContaining('["yes","42"]') });
      expect(await read({ text: '' }, signal)).toEqual({ problems: 'it is not JSON' });
    },
  );

  it.each([
    ['{"a": "x"}', '/a must be integer'],
    ['{}', "the answer must have required property 'a'"],
    ['{"a": 1, "b": 2}', 'the answer must NOT have additional properties ("b")'],
    ['no', 'it is not JSON'],
  ])('says what is wrong with %s', async (text, problems) => {
    expect(await formatOf(OBJECT).read({ text }, signal)).toEqual({ problems });
  });

  it('of draft-07 is read as such', async () => {
    const tuple = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ type: 'integer' }, { type: 'string' }] };
    expect(await formatOf(tuple).read({ text: '[1, 2]' }, signal)).toEqual({ problems: '/1 must be string' });
  });

  it.each([
    [{ type: 'no such type' }, /schema is invalid/],
    [{ type: 'object', $ref: 'https://other.example/schema' }, /can't resolve reference/],
    [{ type: 'object', description: 'x'.repeat(262_144) }, /^it is larger than 256 KiB$/],
  ])('is refused: %#', async (schema, message) => {
    expect(await checkSchema(schema, signal)).toMatch(message);
  });

  it('is compiled off the event loop, in a bounded time', async () => {
    const costly = { type: 'object', patternProperties: alternatives(3_000) };
    let isDone = false;
    const checking = checkSchema(costly, signal, 100).finally(() => (isDone = true));
    await new Promise(setImmediate);
    expect(isDone).toBe(false);
    expect(await checking).toBe('compiling it takes longer than 0.1 s');
  });

  it('whose pattern would take forever does not block, and ends', async () => {
    const { read } = formatOf({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } });
    const limit = new AbortController();
    const reading = read({ text: '', value: { a: `${'a'.repeat(60)}!` } }, limit.signal);
    // Another answer is read meanwhile.
    expect(await formatOf(OBJECT).read({ text: '{"a": 1}' }, signal)).toEqual({ value: { a: 1 } });
    limit.abort(new Error('the client left'));
    await expect(reading).rejects.toThrow('the client left');
  });
});
