// The house rules: conventions of this project, which need no types. `.oxlintrc.json` has the rules of the language.

import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { everywhere, notEntry, notPlugin, sources, tests, undialled, undialledImports } from './eslint/house-rules.js';
import { localPlugin } from './eslint/local-plugin.js';

const SOURCES = [
  'schema/src/**/*.ts',
  'kernel/src/**/*.ts',
  'server/src/**/*.ts',
  'plugins/*/*/src/**/*.ts',
  'plugin-template/src/**/*.ts',
];
const PLUGIN_ENTRIES = [
  'plugins/*/*/src/index.ts',
  'plugins/output/image/src/{avif,bmp,jpg,tiff,webp}.ts',
  'plugins/output/video/src/{mkv,mp4,webm}.ts',
  'plugins/model/model-providers/src/{anthropic,google,ollama,openai,stdio}.ts',
  'plugin-template/src/index.ts',
];
const PACKAGE_ENTRIES = [
  ...PLUGIN_ENTRIES,
  '*/src/index.ts',
  'kernel/src/testing/index.ts',
  'plugins/lib/models/src/testing/index.ts',
  'server/src/signing/index.ts',
  'plugins/*/*/src/in-page/index.ts',
];
const LIBRARIES = ['plugins/lib/*/src/**/*.ts'];
const EGRESS = ['kernel/src/egress/**/*.ts'];
const IN_PAGE = ['plugins/*/*/src/in-page/**/*.ts'];
/** The compiler knows them, pages do not. */
const NODE_ONLY = ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate'];
const TESTS = ['test/**/*.ts', 'plugin-template/test/**/*.ts'];

/** The last matching block wins as a whole, so each block says all the patterns that hold for its files. */
const patterns = (files, ...groups) => ({ files, rules: { 'no-restricted-syntax': ['error', ...everywhere, ...groups.flat()] } });

const NODE_GLOBALS = Object.fromEntries(
  [
    'process',
    'console',
    'URL',
    'URLSearchParams',
    'Buffer',
    'setTimeout',
    'clearTimeout',
    'setImmediate',
    'AbortController',
    'AbortSignal',
    'performance',
    'fetch',
  ].map((name) => [name, 'readonly']),
);

export default tseslint.config(
  { ignores: ['**/dist/', 'bundle/', '**/node_modules/', '.runtime/', 'coverage/', 'plugins/service/openapi/guide/'] },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { platen: localPlugin, regexp, '@typescript-eslint': tseslint.plugin },
  },
  {
    files: ['**/*.{ts,js,mjs,cjs}'],
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 50 }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
      'platen/file-name': 'error',
      'platen/reasoned-disable': 'error',
    },
  },
  { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { ecmaVersion: 2024, globals: NODE_GLOBALS },
    // The compiler does not check these files.
    rules: { 'no-undef': 'error' },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { __dirname: 'readonly', module: 'writable', require: 'readonly' } },
  },
  {
    files: SOURCES,
    rules: {
      'platen/file-name': ['error', { source: true }],
      'platen/output-type': 'error',
      'no-console': 'error',
      // Pages, targets and clients write what these are matched against.
      'regexp/no-super-linear-backtracking': 'error',
      '@typescript-eslint/no-restricted-imports': ['error', undialledImports],
    },
  },
  { files: EGRESS, rules: { '@typescript-eslint/no-restricted-imports': 'off' } },
  patterns(SOURCES, sources, undialled, notEntry, notPlugin),
  patterns(EGRESS, sources, notEntry, notPlugin),
  patterns(PACKAGE_ENTRIES, sources, undialled, notPlugin),
  patterns(PLUGIN_ENTRIES, sources, undialled),
  patterns(LIBRARIES, sources, undialled, notPlugin),
  patterns(TESTS, tests),
  { files: IN_PAGE, rules: { 'no-restricted-globals': ['error', ...NODE_ONLY] } },
  { files: TESTS, rules: { 'max-lines-per-function': 'off' } },
);
