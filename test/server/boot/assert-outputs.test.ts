import type { DiscoveredPlugin } from '@platen/kernel';
import { expect, it } from 'vitest';
import { assertOutputs } from '../../../server/src/boot/catalog.js';

const plugin = (name: string, outputs: string[] = [], leftOut = false): DiscoveredPlugin => ({
  ...{ name, outputs, leftOut, packageName: name, version: '1.0.0', directory: '', entry: '', kernelRange: '*' },
  ...{ requires: [], keys: [], flags: [] },
});
const pixels = plugin('screenshot');
const png = plugin('png', ['png']);

it('refuses a choice of plugins that could make nothing, naming who could', () => {
  expect(() => {
    assertOutputs({ enabled: [pixels, png], absent: [] });
  }).not.toThrow();
  for (const enabled of [[], [pixels]]) {
    expect(() => {
      assertOutputs({ enabled, absent: [png, plugin('wait'), plugin('gif', ['gif']), plugin('pdf', ['pdf'], true)] });
    }).toThrow(
      expect.objectContaining({ code: 'boot_missing_requirement', message: expect.stringMatching(/ \(gif, png\)$/) as unknown }) as Error,
    );
  }
});
