import { defineConfig } from 'vitest/config';
import { TIERS } from './tiers.js';

// Tests run from the sources: the export condition `platen-source` of every workspace leads there.
const conditions = ['platen-source', 'node', 'import', 'module', 'default'];

const ALL = ['test/**/*.test.ts', 'plugin-template/test/**/*.test.ts'];
// A second try, that `.ci/run` asks for, is for what a busy machine can upset: nothing of `unit` is.
const retry = process.env.SECOND_TRY === undefined ? 0 : 1;

const sharedLaunch = new URL('../test/helpers/shared-launch.ts', import.meta.url).pathname;
const shared = { extends: true, resolve: { alias: { '../process/launch.js': sharedLaunch } } } as const;

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // One more than the processors of a small machine: a browser test waits for a third of its time.
    maxWorkers: 3,
    execArgv: ['--import', new URL('../test/helpers/typescript-in-workers.mjs', import.meta.url).href],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
    projects: [
      { extends: true, test: { name: 'rules', include: TIERS.rules } },
      { extends: true, test: { name: 'unit', include: TIERS.unit, isolate: false, setupFiles: ['test/helpers/unit-tier.ts'] } },
      { ...shared, test: { name: 'shared', include: TIERS.shared, exclude: TIERS.slowShared, isolate: false, retry } },
      { ...shared, test: { name: 'slow-shared', include: TIERS.slowShared, isolate: false, retry } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ALL,
          exclude: Object.values(TIERS).flat(),
          retry,
        },
      },
      { extends: true, test: { name: 'slow', include: TIERS.slow, retry } },
    ],
  },
});
