import type { Plugin } from 'esbuild';

/**
 * What puppeteer brings along for what Platen never does: WebDriver BiDi, which is for Firefox, and what downloads a browser (proxies and
 * archives) or offers that as a command. Platen starts a Chromium that is there, over a pipe.
 */
const UNUSED: readonly { readonly by: RegExp; readonly imports: RegExp }[] = [
  { by: /[\\/]puppeteer-core[\\/]/, imports: /^\.\.\/bidi\// },
  { by: /[\\/]@puppeteer[\\/]browsers[\\/]/, imports: /^(?:proxy-agent|yargs|extract-zip|tar-fs)(?:\/|$)/ },
];

/** Replaces bundled modules that never run with empty modules. */
export function pruneUnused(): Plugin {
  return {
    name: 'leave-out-unused',
    setup(build) {
      for (const { by, imports } of UNUSED) {
        build.onResolve({ filter: imports }, ({ path, importer }) => (by.test(importer) ? { path, namespace: 'left-out' } : undefined));
      }
      // As CommonJS: whatever name is imported from it is undefined.
      build.onLoad({ filter: /^/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
    },
  };
}
