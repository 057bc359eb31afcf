import { definePlugin, type LoadedPlugin, type Plugin } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { planRender } from '../../kernel/src/plan.js';
import { createRegistry } from '../../kernel/src/registry.js';

const png = definePlugin({
  name: 'png',
  captures: [{ kind: 'screenshot' }],
  outputs: [{ type: 'png', from: 'screenshot', contentType: 'image/png', extension: 'png' }],
  assets: [
    { key: 'with_har', name: 'har' },
    { key: 'with_axtree', name: 'axtree' },
  ],
  params: { with_har: { type: 'boolean' }, with_axtree: { type: 'string' } },
});

function plan(params: Record<string, unknown>, ...plugins: Plugin[]) {
  const loaded = [png, ...plugins].map((definition): LoadedPlugin => ({ definition, packageName: definition.name, version: '0.0.0' }));
  return planRender({ url: 'http://site.test/', ...params }, createRegistry(loaded));
}

describe('planRender', () => {
  it.each([
    ...['file:///etc/passwd', ' file:///etc/passwd', 'fi\tle:///etc/passwd', 'FILE:///etc/passwd', 'chrome://version'],
    ...['javascript:alert(1)', 'about:blank', 'view-source:http://site.test/', 'ws://site.test/', 'ftp://site.test/'],
    ...['blob:http://site.test/1', 'data:', 'data:text/html', 'data:text/html;base64,!!!', '/relative', 'http://', '://'],
  ])('refuses the target %j', (url) => {
    expect(() => plan({ url })).toThrow(
      expect.objectContaining({
        code: 'invalid_parameters',
        details: { errors: [expect.objectContaining({ parameter: 'url' })] },
      }) as Error,
    );
  });

  it.each([
    ['example.com', 'https://example.com/'],
    [' example.com:8080', 'https://example.com:8080/'],
    ['localhost:8080', 'http://localhost:8080/'],
    ['example.com/path?token=secret', 'https://example.com/…'],
  ])('says of the target %j which scheme it needs', (url, meant) => {
    const detail = `"url" needs a scheme: ${meant}`;
    expect(() => plan({ url })).toThrow(
      expect.objectContaining({ code: 'invalid_parameters', message: detail, details: { errors: [{ parameter: 'url', detail }] } }),
    );
  });

  it('tells if the request brings code into pages', () => {
    const own = definePlugin({ name: 'own', params: { script: { type: 'string', 'x-code': true }, text: { type: 'string' } } });
    expect([{}, { text: 'a' }, { script: 'a' }].map((params) => plan(params, own).bringsCode)).toEqual([false, false, true]);
  });

  it('asks for a browser of the scale of the page if one of its captures is of pixels', () => {
    const own = definePlugin({
      name: 'own',
      captures: [{ kind: 'text' }, { kind: 'pixels', scaled: true, combines: 'moving' }],
      outputs: [
        { type: 'text', from: 'text', contentType: 'text/plain', extension: 'txt' },
        { type: 'pixels', from: 'pixels', contentType: 'image/png', extension: 'png' },
      ],
      assets: [
        { key: 'with_picture', name: 'picture', from: 'pixels' },
        { key: 'with_others', name: 'others', outputs: true },
      ],
      params: { with_picture: { type: 'boolean' }, with_others: { type: 'array' }, parts: { type: 'boolean' } },
      planFor: { param: 'parts' },
      plan: ({ include }) => void include('pixels'),
    });
    const isScaled = (params: object) => plan({ output_type: 'text', ...params }, own).browser.scaled === true;
    expect(isScaled({})).toBe(false);
    const scaled = [{ output_type: 'pixels' }, { with_picture: true }, { with_others: ['pixels'] }, { parts: true }];
    expect(scaled.map(isScaled)).toEqual(scaled.map(() => true));
  });

  it.each(['http://site.test/', 'HTTPS://site.test', 'data:text/html,<p>hi'])('takes the target %j', (url) => {
    expect(plan({ url }).url).toBe(new URL(url).href);
  });

  it('takes a URL of 2 MiB as the browser writes it, and refuses a longer one with the limit', () => {
    const head = 'data:text/html,';
    const limit = 2 * 1024 ** 2;
    expect(plan({ url: head + 'a'.repeat(limit - head.length) }).url).toHaveLength(limit);
    const refusal = {
      code: 'invalid_parameters',
      message: expect.stringMatching(/^"url" must not be longer than 2 MiB .{1,80}$/) as string,
    };
    expect(() => plan({ url: head + 'a'.repeat(limit - head.length + 1) })).toThrow(expect.objectContaining(refusal) as Error);
    // A character beyond ASCII is written as several.
    expect(() => plan({ url: head + 'ü'.repeat(limit / 4) })).toThrow(expect.objectContaining(refusal) as Error);
  });

  it.each([
    [{}, 30_000],
    [{ timeout: 2.5 }, 2500],
    [{ timeout: 0 }, null],
    [{ no_timeout: true, timeout: 5 }, null],
    [{ no_timeout: false }, 30_000],
  ])('timeout of %j is %j ms', (params, timeoutMs) => {
    expect(plan(params).timeoutMs).toBe(timeoutMs);
  });

  it.each([
    [{}, 'png', true],
    [{ task: 'buy' }, 'said', false],
    [{ task: 'buy', timeout: 5 }, 'said', true],
    [{ task: 'buy', output_type: 'png' }, 'png', false],
  ])('%j: output type %s, timeout from the start: %s', (params, type, timesNavigation) => {
    const agent = definePlugin({
      name: 'agent',
      outputs: [{ type: 'said', from: 'screenshot', contentType: 'text/plain', extension: 'txt', defaultFor: 'task' }],
      params: { task: { type: 'string' } },
      planFor: { param: 'task' },
      plan: ({ untimed }) => {
        untimed();
      },
    });
    expect(plan(params, agent)).toMatchObject({ output: { type }, timesNavigation });
  });

  it('lets a plugin shape it: presets yield to what the request says, timeouts grow', () => {
    const shaper = definePlugin({
      name: 'shaper',
      plan(draft) {
        draft.profile.width = 400;
        Object.assign(draft.preset, { width: 300, height: 200, mobile: true });
        draft.extendTimeout(5);
      },
    });
    const { profile, timeoutMs } = plan({}, shaper);
    expect(profile).toMatchObject({ width: 400, height: 200, mobile: true, deviceScaleFactor: 1 });
    expect(timeoutMs).toBe(35_000);
    expect([plan({ timeout: 2.5 }, shaper).timeoutMs, plan({ timeout: 0 }, shaper).timeoutMs]).toEqual([7500, null]);
  });

  it('is frozen, JSON-able, and keyed by its parameters whatever their order', () => {
    const one = plan({ a: 1, b: { d: 1, c: 2 } });
    expect(JSON.parse(JSON.stringify(one))).toEqual(one);
    expect(Object.isFrozen(one.profile)).toBe(true);
    expect(plan({ b: { c: 2, d: 1 }, a: 1 }).cacheKey).toBe(one.cacheKey);
    expect(plan({ a: 1 }).cacheKey).not.toBe(one.cacheKey);
    expect(plan({ a: 1, b: { c: 2, d: 1 }, output_type: 'png' }).cacheKey).toBe(one.cacheKey);
  });

  it.each([
    [{}, []],
    [{ with_har: true, with_axtree: 'json' }, ['har', 'axtree']],
    [{ with_har: false, with_axtree: 'false' }, []],
  ])('assets of %j are %j', (params, names) => {
    expect(plan(params).assets.map(({ name }) => name)).toEqual(names);
  });

  it('tells all that its plugins refuse at once, and asks none that builds on what was refused', () => {
    const refusing = (name: string, requires: string[] = []) =>
      definePlugin({
        name,
        requires,
        plan(draft) {
          draft.refuse(`key_${name}`, `"key_${name}" is wrong`);
        },
      });
    expect(() => plan({}, refusing('a'), refusing('b', ['a']), refusing('c', ['b']), refusing('d'))).toThrow(
      expect.objectContaining({
        message: '"key_a" is wrong (and 1 more)',
        details: {
          errors: [
            { parameter: 'key_a', detail: '"key_a" is wrong' },
            { parameter: 'key_d', detail: '"key_d" is wrong' },
          ],
        },
      }) as Error,
    );
  });

  it('what fails after a refusal does not hide it', () => {
    const refusing = definePlugin({
      name: 'refusing',
      plan(draft) {
        draft.refuse('key', 'wrong');
      },
    });
    const failing = definePlugin({
      name: 'failing',
      plan() {
        throw new RangeError('oops');
      },
    });
    expect(() => plan({}, refusing, failing)).toThrow(expect.objectContaining({ code: 'invalid_parameters', plugin: 'refusing' }) as Error);
  });

  it('names the plugin whose plan fails', () => {
    const broken = definePlugin({
      name: 'broken',
      plan() {
        throw new RangeError('oops');
      },
    });
    expect(() => plan({}, broken)).toThrow(expect.objectContaining({ code: 'plugin_failed', plugin: 'broken', hook: 'plan' }) as Error);
  });

  it.each(['plan', 'validatePlan'] as const)('refuses an asynchronous %s, which nobody would wait for', (verb) => {
    // Plugins need not be written in TypeScript.
    const late: Plugin = Object.assign({ name: 'late' }, { [verb]: () => Promise.reject(new Error('too late')) });
    expect(() => plan({}, late)).toThrow(
      expect.objectContaining({ code: 'plugin_failed', plugin: 'late', message: expect.stringContaining(`asynchronous "${verb}"`) }),
    );
  });

  it('validatePlan sees the plan as every plugin has shaped it, in whatever order they come', () => {
    const seen: unknown[] = [];
    const judging = definePlugin({
      name: 'judging',
      validatePlan({ profile, captureKind, refuse }) {
        seen.push([profile.width, profile.height, captureKind]);
        if (profile.width > 1000) refuse('browser_width', 'too wide');
      },
    });
    const shaping = (width: number) =>
      definePlugin({
        name: 'shaping',
        plan(draft) {
          draft.profile.width = width;
        },
      });
    expect(plan({}, judging, shaping(900)).profile.width).toBe(900);
    expect(() => plan({}, judging, shaping(1001))).toThrow(
      expect.objectContaining({
        code: 'invalid_parameters',
        plugin: 'judging',
        details: { errors: [{ parameter: 'browser_width', detail: 'too wide' }] },
      }) as Error,
    );
    expect(seen).toEqual([
      [900, 720, 'screenshot'],
      [1001, 720, 'screenshot'],
    ]);
  });

  it('validatePlan is not asked about a plan that was refused', () => {
    const refusing = definePlugin({
      name: 'refusing',
      plan(draft) {
        draft.refuse('key', 'wrong');
      },
    });
    const judging = definePlugin({
      name: 'judging',
      validatePlan() {
        throw new RangeError('oops');
      },
    });
    expect(() => plan({}, judging, refusing)).toThrow(expect.objectContaining({ plugin: 'refusing' }) as Error);
  });
});
