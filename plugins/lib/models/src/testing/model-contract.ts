import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type Logger, type Plugin, PlatenError, silentLogger } from '@platen/kernel';
import type { ContractCheck } from '@platen/kernel/testing';
import type { ModelRequest } from '../message.js';
import type { Answer } from '../model.js';
import { modelsOf } from '../models.js';
import { type ScriptedProvider, type Step, USAGE } from './scripted.js';

export interface ModelContractSubject {
  /** A plugin that registers a wire. */
  readonly plugin: Plugin;
  /** Opens a provider that follows the script: `scriptProvider(protocol, dialect)` for a wire by HTTP. */
  readonly provide: (steps: readonly Step[]) => Promise<ScriptedProvider>;
  /** The wire runs a program: the checks of keys and of HTTP statuses are omitted. */
  readonly isLocal?: boolean;
}

const KEY = 'sk-contract/+=?&@%-0123456789';
const PNG = Buffer.from('89504e470d0a1a0a0001fe', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const HELLO: ModelRequest = { messages: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
const SCHEMA = {
  type: 'object',
  properties: { title: { type: 'string' }, count: { type: 'integer' } },
  required: ['title', 'count'],
  additionalProperties: false,
} as const;
const VALUE = { title: 'Contract', count: 3 };

/**
 * The contract of a plugin that provides models, for any test runner: `for (const check of modelContract({ plugin, provide })) it(check.name,
 * check.run);`
 */
export function modelContract(subject: ModelContractSubject): readonly ContractCheck[] {
  return [...requestChecks(subject), ...answerChecks(subject), ...(subject.isLocal === true ? [] : httpChecks(subject))];
}

interface AskParts {
  readonly request?: ModelRequest;
  readonly key?: string;
  readonly options?: string;
  readonly log?: Logger;
}

function ask(
  { plugin }: ModelContractSubject,
  provider: ScriptedProvider,
  { request = HELLO, log = silentLogger, ...connection }: AskParts,
) {
  const api = { outbound: provider.outbound, log, options: {} };
  // Registering needs nothing else of the API.
  plugin.apply?.(api as never);
  const model = modelsOf(api, {}).open(provider.connection(connection), { source: 'startup', name: 'model' });
  return { model, asked: model.ask(request, { signal: new AbortController().signal, timeoutMs: 60_000 }) };
}

async function answerTo(subject: ModelContractSubject, request: ModelRequest, step: Step): Promise<Answer> {
  await using provider = await subject.provide([step]);
  return await ask(subject, provider, { request }).asked;
}

async function seenOf(subject: ModelContractSubject, request: ModelRequest, options = '') {
  await using provider = await subject.provide([request.schema === undefined ? { text: 'ok' } : { value: VALUE }]);
  await ask(subject, provider, { request, options }).asked;
  const [seen] = await provider.seen();
  assert.ok(seen !== undefined, 'the provider received no request');
  return seen;
}

function requestChecks(subject: ModelContractSubject): readonly ContractCheck[] {
  return [
    {
      name: 'it sends the system text and the messages in their order',
      async run() {
        const message = (role: 'user' | 'assistant', text: string) => ({ role, parts: [{ text }] });
        const { system, messages } = await seenOf(subject, {
          system: 'Be brief.',
          messages: [message('user', 'One "1"'), message('assistant', 'Two\n2'), message('user', 'Three ✓')],
        });
        assert.equal(system, 'Be brief.');
        assert.deepEqual(
          messages.map(({ role, texts }) => [role, texts.join('')]),
          [
            ['user', 'One "1"'],
            ['assistant', 'Two\n2'],
            ['user', 'Three ✓'],
          ],
        );
      },
    },
    {
      name: 'it sends images byte for byte, and none with vision=false',
      async run() {
        const request: ModelRequest = { messages: [{ role: 'user', parts: [{ text: 'See' }, { image: PNG }, { image: JPEG }] }] };
        const { messages } = await seenOf(subject, request);
        assert.deepEqual(messages[0]?.images, [PNG, JPEG]);
        const blind = await seenOf(subject, request, '&vision=false');
        assert.deepEqual([blind.messages[0]?.texts, blind.messages[0]?.images], [['See'], []]);
      },
    },
    {
      name: 'it sends the model, and the temperature and max_tokens of the connection',
      async run() {
        const { model, temperature, maxTokens } = await seenOf(subject, HELLO, '&temperature=0.5&max_tokens=77');
        assert.deepEqual({ model, temperature, maxTokens }, { model: 'test', temperature: 0.5, maxTokens: 77 });
        assert.equal((await seenOf(subject, HELLO)).temperature, undefined);
      },
    },
    {
      name: 'it sends the schema of the answer, and none without one',
      async run() {
        const { schema } = await seenOf(subject, { ...HELLO, schema: SCHEMA });
        // Not every provider takes `additionalProperties`.
        assert.deepEqual({ ...schema, additionalProperties: false }, SCHEMA);
        assert.equal((await seenOf(subject, HELLO)).schema, undefined);
      },
    },
  ];
}

function answerChecks(subject: ModelContractSubject): readonly ContractCheck[] {
  return [
    {
      name: 'it reads a text and its usage',
      async run() {
        const usage = { ...USAGE, calls: 1 };
        const { text, usage: read } = await answerTo(subject, HELLO, { text: 'Hello\n"you"', usage: USAGE });
        // Not every provider reports cached tokens.
        assert.deepEqual([text, { ...read, cached: read.cached === 0 ? USAGE.cached : read.cached }], ['Hello\n"you"', usage]);
      },
    },
    {
      name: 'it reads a structured answer',
      async run() {
        assert.deepEqual((await answerTo(subject, { ...HELLO, schema: SCHEMA }, { value: VALUE })).value, VALUE);
      },
    },
    {
      name: 'it reports an answer that was cut at a limit',
      async run() {
        await assert.rejects(answerTo(subject, HELLO, { text: 'Hel', finish: 'length' }), failure('llm_output_invalid', /cut/));
      },
    },
  ];
}

function httpChecks(subject: ModelContractSubject): readonly ContractCheck[] {
  const key = encodeURIComponent(KEY);
  return [
    {
      name: 'it sends the key in header fields only, and none without a key',
      async run() {
        await using provider = await subject.provide([{ text: 'ok' }, { text: 'ok' }]);
        await ask(subject, provider, { key }).asked;
        assert.equal((await provider.seen())[0]?.key, KEY);
        assert.deepEqual(formsOfKey(provider.sent.join('\n')), []);
        assert.equal((await seenOf(subject, HELLO)).key, undefined);
      },
    },
    ...[401, 429, 500, 529].map((status) => ({
      name: `a ${String(status)} is ${status === 401 ? 'not ' : ''}retried, and the key is in no error and no log`,
      async run() {
        const echo = { status, headers: { 'retry-after': '0' }, body: `{"error": {"message": "bad key ${KEY}"}}` };
        await using provider = await subject.provide([echo, echo, echo]);
        const lines: string[] = [];
        const { model, asked } = ask(subject, provider, { key, log: logTo(lines) });
        const error: unknown = await asked.catch((reason: unknown) => reason);
        assert.ok(failure('llm_upstream', new RegExp(`status ${String(status)}`))(error));
        assert.equal((await provider.seen()).length, status === 401 ? 1 : 3);
        const printed = [error, model].map((value) => inspect(value, { depth: 20, showHidden: true }));
        assert.deepEqual(formsOfKey([...printed, JSON.stringify(model), ...lines].join('\n')), []);
      },
    })),
    ...['{}', '[]', 'null', '"text"', '{"error": {"message": "no"}}'].map((body) => ({
      name: `a response with the body ${body} is an error of the provider`,
      async run() {
        const step = { status: 200, headers: {}, body };
        await using provider = await subject.provide([step, step, step]);
        await assert.rejects(ask(subject, provider, {}).asked, failure('llm_upstream', /response/));
      },
    })),
  ];
}

function failure(code: PlatenError['code'], text: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof PlatenError && error.code === code && text.test(error.message);
}

/** The forms of the key in a text. */
function formsOfKey(text: string): readonly string[] {
  const base64 = Buffer.from(KEY).toString('base64').replace(/=+$/, '');
  return [KEY, encodeURIComponent(KEY), base64].filter((form) => text.includes(form));
}

function logTo(lines: string[]): Logger {
  const note = (...args: readonly unknown[]): void => void lines.push(inspect(args, { depth: 20 }));
  return { ...silentLogger, debug: note, info: note, warn: note, error: note, child: () => logTo(lines) };
}
