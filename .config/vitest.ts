import { defineConfig } from 'vitest/config';

// Tests run from the sources: the export condition `platen-source` of every workspace leads there.
const conditions = ['platen-source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts', 'plugin-template/test/**/*.test.ts'],
    maxWorkers: 2,
    execArgv: ['--import', new URL('../test/helpers/typescript-in-workers.mjs', import.meta.url).href],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
  },
});
