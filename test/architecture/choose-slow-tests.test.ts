import { describe, expect, it } from 'vitest';
import { chooseSlowTests } from '../../.ci/choose-slow-tests.mjs';

// The choice among the slow tests of this repository, for a change of one file.

const PDF = 'test/plugins/output/pdf/pdf.slow.test.ts';
const STILL = 'test/plugins/output/still.slow.test.ts';
const MODALS = 'test/plugins/page/modals/pages.slow.test.ts';
const FRONTIER = 'test/plugins/lib/frontier/memory.isolated.slow.test.ts';
const README = 'test/readme.isolated.slow.test.ts';

describe('the slow tests of a change', () => {
  it.each([
    ...['kernel/src/plan.ts', 'schema/src/merge.ts', 'server/setup/setup.mjs', 'test/helpers/site.ts'],
    ...['test/fixtures/articles/arabic.gfm.md', '.config/vitest.ts', 'plugins/output/pdf/package.json', 'package-lock.json'],
    ...['a-file-of-the-root', 'an/unknown/folder/file.ts'],
  ])('are all for %s', (file) => {
    expect(chooseSlowTests(['CHANGELOG.md', file])).toEqual({ reasons: [`all: ${file} changed`] });
  });

  it.each([
    ['a source, those of its package', 'plugins/output/pdf/src/index.ts', [PDF], [STILL, MODALS, FRONTIER, README]],
    ['a library, those of the packages that depend on it', 'plugins/lib/raster/src/index.ts', [STILL], [PDF, README]],
    ['a deleted source, those of its package', 'plugins/page/modals/src/deleted.ts', [MODALS], [STILL, FRONTIER]],
    ['a test, itself', PDF, [PDF], [STILL, 'test/plugins/output/pdf/faults.slow.test.ts']],
    ['a module beside tests, those that import it', 'test/plugins/output/decode-still.ts', [STILL], [PDF, MODALS]],
    ['a script beside tests, those that start it', 'test/plugins/lib/frontier/frontier-process.mjs', [FRONTIER], [STILL, PDF, MODALS]],
    ['data beside tests, those of its folder', 'test/plugins/output/pdf/page.pdf', [PDF], [STILL, MODALS]],
    ['the README, its own', 'README.md', [README], [STILL, PDF]],
    ['the page of the first request, the same', 'server/docs/api/first-request.md', [README], [STILL, PDF]],
    ['prose, none', 'plugins/output/pdf/README.md', [], [PDF, README]],
    ['a test that is not slow, none', 'test/kernel/plan.test.ts', [], [PDF, README]],
  ] as const)('are for %s', (_, file, included, excluded) => {
    const { tests = [], reasons } = chooseSlowTests([file]);
    expect(tests).toEqual(expect.arrayContaining([...included]));
    expect(tests.filter((test) => excluded.some((other) => other === test))).toEqual([]);
    expect(reasons).toHaveLength(tests.length + 1);
    expect(reasons[0]).toMatch(new RegExp(`^${String(tests.length)} of \\d+$`));
  });

  it('name with each test the file that chose it', () => {
    expect(chooseSlowTests([STILL]).reasons.slice(1)).toEqual([`  ${STILL}: ${STILL} changed`]);
  });
});
