import { findTool, type ToolCandidate } from '@platen/kernel';
import { expect, it } from 'vitest';

const node = (script: string, prints: string): ToolCandidate => ({ name: 'node', command: [process.execPath, '-e', script], prints });
const find = (...candidates: readonly ToolCandidate[]) => findTool({ id: 'a_tool', candidates, fix: 'install it' }, import.meta.url);
const MISSING: ToolCandidate = { name: 'nothing', command: ['no-such-program-anywhere', '--version'], prints: '.' };

it('finds a program by what it prints, in any line, with its version', async () => {
  await expect(find(node('console.log("hello\\ntool v1.2 of today")', '^tool v(\\S+)'))).resolves.toEqual({
    name: 'node',
    version: '1.2',
    best: true,
  });
  await expect(find(node('console.log("tool")', '^tool$'))).resolves.toEqual({ name: 'node', version: undefined, best: true });
});

it('takes no program that is missing, fails, or prints something else', async () => {
  await expect(find(MISSING)).resolves.toBeUndefined();
  await expect(find(node('console.log("tool v1"); process.exit(1)', '^tool'))).resolves.toBeUndefined();
  await expect(find(node('console.log("no tool")', '^tool'))).resolves.toBeUndefined();
});

it('finds a package as an import would', async () => {
  await expect(find({ name: 'vitest', package: 'vitest' })).resolves.toMatchObject({
    name: 'vitest',
    version: expect.stringMatching(/^\d/) as unknown,
  });
  // One that exports files of its own choice, its package.json not among them.
  await expect(find({ name: 'hidden', package: '@duckduckgo/autoconsent' })).resolves.toMatchObject({ version: '16.23.0' });
  await expect(find({ name: 'nothing', package: 'no-such-package-anywhere' })).resolves.toBeUndefined();
});

it('takes the first that is there, and says whether it is the best', async () => {
  await expect(find(MISSING, { name: 'vitest', package: 'vitest' }, node('', ''))).resolves.toMatchObject({ name: 'vitest', best: false });
});

it('runs a program where it is said to be, and nowhere else', async () => {
  const tool = {
    id: 'tool',
    candidates: [{ name: 'tool', command: ['no-such-program-anywhere', '--version'], prints: '^v(\\d+)' }],
    fix: '',
  } as const;
  const programs = { 'no-such-program-anywhere': process.execPath };
  await expect(findTool(tool, import.meta.url, programs)).resolves.toMatchObject({ version: process.versions.node.split('.')[0] });
  const own = { ...tool, candidates: [{ ...tool.candidates[0], command: [process.execPath, '--version'] }] } as const;
  await expect(findTool(own, import.meta.url, { [process.execPath]: '/nowhere/node' })).resolves.toBeUndefined();
});
