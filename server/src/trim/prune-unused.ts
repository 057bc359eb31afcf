import type { Plugin } from 'esbuild';

/**
 * Dependencies of puppeteer that Platen never uses: WebDriver BiDi, which is for Firefox, and modules that download a browser (proxies and
 * archives) or offer that as a command. Platen starts an installed Chromium, over a pipe.
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
      // As CommonJS: every name imported from it is undefined.
      build.onLoad({ filter: /^/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
    },
  };
}
