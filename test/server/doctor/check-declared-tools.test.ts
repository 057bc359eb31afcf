import { definePlugin, type LoadedPlugin, type ToolDeclaration } from '@platen/kernel';
import { expect, it } from 'vitest';
import { checkDeclaredTools } from '../../../server/src/doctor/check-tools.js';
import { checkOutputs } from '../../../server/src/doctor/check-outputs.js';

const PROGRAM = { name: 'node', command: [process.execPath, '--version'], prints: '^v(\\d+)' } as const;
const MISSING = { name: 'quick', command: ['no-such-program-anywhere'], prints: '.' } as const;

function loaded(name: string, tool: ToolDeclaration): LoadedPlugin {
  return { definition: definePlugin({ name, tools: [tool] }), packageName: name, version: '1.0.0' };
}

function examine(...candidates: ToolDeclaration['candidates']) {
  const tool = { id: 'an_encoder', candidates, fix: 'install quick' };
  return checkDeclaredTools({ loaded: [loaded('one', tool), loaded('two', tool)], found: [], asked: new Map() });
}

it('says once what is found, for all the plugins that look for it', async () => {
  const finding = { id: 'an_encoder', state: 'ok', text: `node ${process.versions.node.split('.')[0] ?? ''}` };
  expect(await examine(PROGRAM, MISSING)).toMatchObject([{ plugins: ['one', 'two'], finding }]);
});

it('says what would be faster than what is found', async () => {
  const [tool] = await examine(MISSING, PROGRAM);
  expect(tool?.finding).toMatchObject({
    state: 'ok',
    text: expect.stringMatching(/^node \d+; quick would be faster$/) as unknown,
    fix: 'install quick',
  });
});

it('says of an output type that what it needs is missing', async () => {
  const tools = await examine(MISSING);
  expect(tools[0]?.finding).toMatchObject({ state: 'remark', text: 'none of quick found', fix: 'install quick' });
  const rest = { packageName: '', version: '1.0.0', directory: '', entry: '', kernelRange: '*', requires: [], keys: [], flags: [] };
  const found = ['one', 'three'].map((name) => ({ ...rest, name, outputs: [`type-${name}`] }));
  const states = checkOutputs({ found, enabled: new Set(['one', 'three']), asked: new Map(), tools });
  expect(states).toEqual([
    { type: 'type-one', plugin: 'one', state: 'missing', because: 'an encoder: none of quick found', fix: 'install quick' },
    { type: 'type-three', plugin: 'three', state: 'ready' },
  ]);
});
