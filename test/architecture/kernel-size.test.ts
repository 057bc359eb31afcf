import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, ROOT } from './workspaces.js';

/** Lines that hold code: neither blank nor only comment. */
function countCode(files: readonly string[]): number {
  const lines = files.flatMap((file) => readFileSync(join(ROOT, file), 'utf8').split('\n'));
  return lines.filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;
}

describe('the kernel stays small', () => {
  const sources = listFiles('kernel/src').filter((file) => file.endsWith('.ts'));
  const core = sources.filter((file) => !/^kernel\/src\/(browser|egress|testing)\//.test(file));

  // Of these, 250 are for workers and the loading of one page, 30 for renders that go on after an interruption and crawls beside an output,
  // 60 for `explain`, 20 for choosing plugins by their package.json, 15 for documents that requests contain,
  // 130 for several outputs of one load, 50 for content of other output types,
  // 40 for pages that are late, 40 for steps and their evidence, 50 for sources that requests name and pictures that are compared.
  it('plugins, hooks, plan and pipeline: under 3,700 lines', () => {
    expect(core.length).toBeGreaterThan(10);
    expect(countCode(core)).toBeLessThan(3_700);
  });

  it('with the browser, the egress and the assets: under 10,100 lines', () => {
    expect(countCode(sources)).toBeLessThan(10_100);
  });

  it('asks for no package that one plugin needs', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'kernel/package.json'), 'utf8'));
    expect(Object.keys(dependencies).sort()).toEqual(['@platen/schema', 'devtools-protocol', 'puppeteer-core', 'semver', 'tapable']);
  });
});
