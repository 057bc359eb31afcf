import { definePlugin, type LoadedPlugin, type Plugin } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { createRegistry } from '../../kernel/src/registry.js';

const loaded = (definition: Plugin): LoadedPlugin => ({ definition, packageName: `pkg-${definition.name}`, version: '1.0.0' });
const output = (type: string, from = 'screenshot') => ({ type, from, contentType: `image/${type}`, extension: type });
const pixels = definePlugin({ name: 'screenshot', captures: [{ kind: 'screenshot' }] });

function boot(...plugins: Plugin[]) {
  return createRegistry(plugins.map(loaded));
}

describe('createRegistry', () => {
  it('orders requirements before what requires them, otherwise as given', () => {
    const { plugins } = boot(
      definePlugin({ name: 'c', requires: ['b'] }),
      definePlugin({ name: 'a' }),
      definePlugin({ name: 'b', requires: ['screenshot'] }),
      pixels,
    );
    expect(plugins.map(({ definition }) => definition.name)).toEqual(['screenshot', 'b', 'c', 'a']);
  });

  it.each([
    [
      'boot_duplicate_plugin',
      /"pkg-a" and "pkg-a" both contain a plugin named "a"/,
      [definePlugin({ name: 'a' }), definePlugin({ name: 'a' })],
    ],
    ['boot_missing_requirement', /not enabled: "a" requires "b"$/, [definePlugin({ name: 'a', requires: ['b'] })]],
    [
      'boot_missing_requirement',
      /not enabled: "a" requires "b" and "c"; "d" requires "b"$/,
      [definePlugin({ name: 'a', requires: ['b', 'screenshot', 'c'] }), pixels, definePlugin({ name: 'd', requires: ['b'] })],
    ],
    ['boot_requirement_cycle', /a -> b -> a/, [definePlugin({ name: 'a', requires: ['b'] }), definePlugin({ name: 'b', requires: ['a'] })]],
    [
      'boot_duplicate_output',
      /plugins "a" and "b" both provide the output type "png"/,
      [pixels, definePlugin({ name: 'a', outputs: [output('png')] }), definePlugin({ name: 'b', outputs: [output('png')] })],
    ],
    [
      'boot_duplicate_capture',
      /plugins "screenshot" and "a" both provide the capture kind "screenshot"/,
      [pixels, definePlugin({ name: 'a', captures: [{ kind: 'screenshot' }] })],
    ],
    [
      'boot_invalid_plugin',
      /declares the asset "har" with the key "with_har", which is not among its params/,
      [definePlugin({ name: 'a', assets: [{ key: 'with_har', name: 'har' }] })],
    ],
    [
      'boot_invalid_plugin',
      /declares the output type "png" with the key "no_gzip", which is not among its params/,
      [pixels, definePlugin({ name: 'a', outputs: [{ ...output('png'), noGzipKey: 'no_gzip' }] })],
    ],
    [
      'boot_invalid_plugin',
      /declares the output type "png" with the key "task", which/,
      [pixels, definePlugin({ name: 'a', outputs: [{ ...output('png'), defaultFor: 'task' }] })],
    ],
    [
      'boot_invalid_plugin',
      /plugin "a" has a scope for the param "full_page", which it does not declare/,
      [definePlugin({ name: 'a', planFor: { param: ['wide', 'full_page'] }, params: { wide: { type: 'boolean' } } })],
    ],
    [
      'boot_missing_capture',
      /output type "png" needs the capture kind "screenshot"/,
      [definePlugin({ name: 'a', outputs: [output('png')] })],
    ],
    [
      'boot_missing_capture',
      /asset "with_a" needs the capture kind "walk"/,
      [definePlugin({ name: 'a', params: { with_a: { type: 'boolean' } }, assets: [{ key: 'with_a', name: 'a', from: 'walk' }] })],
    ],
    ['boot_invalid_plugin', /"a" \(pkg-a\) is invalid: "plan" must be a function/, [{ name: 'a', plan: 1 } as never]],
    ['boot_invalid_plugin', /names its plugin "Bad Name"/, [definePlugin({ name: 'Bad Name' })]],
  ] as const)('refuses to boot with %s', (code, message, plugins) => {
    expect(() => boot(...plugins)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) as unknown }) as Error);
  });
});
