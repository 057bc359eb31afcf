import { defineConfig } from 'vitest/config';
import { bundleInPage, IN_PAGE_ENTRY } from './bundle-in-page.mjs';

// Tests run from the sources: the export condition `platen-source` of every workspace leads there.
const conditions = ['platen-source', 'node', 'import', 'module', 'default'];

// As the build does: the code of Node gets functions whose source text has all that they import.
const inPage = {
  name: 'in-page',
  enforce: 'pre',
  load: (id: string) => (IN_PAGE_ENTRY.test(id) ? bundleInPage(id) : undefined),
} as const;

// For what a busy machine can upset, if `.ci/run` asks for it: nothing of `unit` is.
const retry = process.env.RETRY_TESTS === undefined ? 0 : 1;

/** The files of a suffix. The tier of a file is its suffix, which test/README.md describes. */
const files = (suffix: string): string[] => [`test/**/*${suffix}.test.ts`, `plugin-template/test/**/*${suffix}.test.ts`];
const isolated = files('.isolated.{browser,slow}');

/** The slow tests that `.ci/run` chose (`.ci/choose-slow-tests.mjs`); by default all. */
const { SLOW_TESTS = '' } = process.env;
// The script prints its array of files.
const chosen = SLOW_TESTS === '' ? undefined : (JSON.parse(SLOW_TESTS) as readonly string[]);
const slowFiles = (suffix: string): string[] => chosen?.filter((file) => file.endsWith(`${suffix}.test.ts`)) ?? files(suffix);

// Files that share processes: loading the modules anew for each would be a third of their processor time. The kernels of a process
// share one browser.
const sharedLaunch = new URL('../test/helpers/shared-launch.ts', import.meta.url).pathname;
const shared = { extends: true, resolve: { alias: { '../process/launch.js': sharedLaunch } } } as const;

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  plugins: [inPage],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // One more than the processors of a small machine: a browser test waits for a third of its time.
    maxWorkers: 3,
    execArgv: ['--import', new URL('../test/helpers/typescript-in-workers.mjs', import.meta.url).href],
    // Some machines take twice as long as others for the same work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
    projects: [
      { extends: true, test: { name: 'rules', include: files('.rules') } },
      {
        extends: true,
        test: {
          name: 'unit',
          include: files(''),
          exclude: files('.{rules,isolated,browser,slow}'),
          isolate: false,
          setupFiles: ['test/helpers/unit-tier.ts'],
        },
      },
      { ...shared, test: { name: 'browser', include: files('.browser'), exclude: isolated, isolate: false, retry } },
      { ...shared, test: { name: 'slow', include: slowFiles('.slow'), exclude: isolated, isolate: false, retry } },
      { extends: true, test: { name: 'isolated', include: [...files('.isolated'), ...files('.isolated.browser')], retry } },
      { extends: true, test: { name: 'isolated-slow', include: slowFiles('.isolated.slow'), retry } },
    ],
  },
});
