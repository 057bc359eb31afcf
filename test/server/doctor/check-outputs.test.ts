import type { DiscoveredPlugin } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { checkOutputs } from '../../../server/src/doctor/check-outputs.js';
import type { Tool } from '../../../server/src/doctor/check-tools.js';

function plugin(name: string, outputs: readonly string[]): DiscoveredPlugin {
  const rest = { packageName: name, version: '1.0.0', directory: '', entry: '', kernelRange: '*', requires: [], keys: [], flags: [] };
  return { name, outputs, ...rest };
}

function tool(dependency: string, state: 'ok' | 'remark', without: Tool['without']): Tool {
  return { dependency, without, finding: { id: dependency, state, text: 'not found', fix: `install ${dependency}`, facts: {} } };
}

const found = [plugin('film', ['mp4', 'webm']), plugin('picture', ['png']), plugin('other', ['txt'])];
const asked = new Map([
  ['film', new Map([['fluent-ffmpeg', 'x']])],
  ['picture', new Map([['sharp', 'x']])],
  ['other', new Map<string, string>()],
]);
const enabled = new Set(['film', 'picture']);

describe('what the host makes of each output type', () => {
  it('ready, or disabled', () => {
    const tools = [tool('sharp', 'ok', 'reduced'), tool('fluent-ffmpeg', 'ok', 'missing')];
    expect(checkOutputs({ found, enabled, asked, tools })).toEqual([
      { type: 'mp4', plugin: 'film', state: 'ready' },
      { type: 'png', plugin: 'picture', state: 'ready' },
      { type: 'txt', plugin: 'other', state: 'disabled', because: 'plugin "other" is not enabled', fix: 'platen --plugins ...,other' },
      { type: 'webm', plugin: 'film', state: 'ready' },
    ]);
  });

  it('reduced or missing, with what would help, where a tool is', () => {
    const tools = [tool('sharp', 'remark', 'reduced'), tool('fluent-ffmpeg', 'remark', 'missing')];
    const states = checkOutputs({ found, enabled, asked, tools });
    expect(states.find(({ type }) => type === 'png')).toMatchObject({
      state: 'reduced',
      because: 'sharp: not found',
      fix: 'install sharp',
    });
    expect(states.find(({ type }) => type === 'mp4')).toMatchObject({ state: 'missing', fix: 'install fluent-ffmpeg' });
  });

  it('reduced, not missing, where the plugin can do without the tool in part', () => {
    const tools = [tool('sharp', 'ok', 'reduced'), { ...tool('fluent-ffmpeg', 'remark', 'missing'), besides: 'sharp' }];
    const both = new Map([
      ...asked,
      [
        'picture',
        new Map([
          ['sharp', 'x'],
          ['fluent-ffmpeg', 'x'],
        ]),
      ] as const,
    ]);
    const states = checkOutputs({ found, enabled, asked: both, tools });
    expect(states.find(({ type }) => type === 'png')).toMatchObject({ state: 'reduced', fix: 'install fluent-ffmpeg' });
    expect(states.find(({ type }) => type === 'mp4')).toMatchObject({ state: 'missing' });
  });

  it('missing altogether without a browser', () => {
    const states = checkOutputs({ found, enabled, asked, tools: [], blocked: { because: 'browser: none found', fix: 'npm run setup' } });
    expect(states.map(({ state }) => state)).toEqual(['missing', 'missing', 'disabled', 'missing']);
    expect(states[0]).toMatchObject({ because: 'browser: none found', fix: 'npm run setup' });
  });
});
