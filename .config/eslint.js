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
];
const LIBRARIES = ['plugins/lib/*/src/**/*.ts'];
const EGRESS = ['kernel/src/egress/**/*.ts'];
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
  { ignores: ['**/dist/', '**/node_modules/', '.runtime/', 'coverage/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' }, plugins: { platen: localPlugin, regexp } },
  {
    files: ['**/*.{ts,js,mjs,cjs}'],
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': ['error', { max: 50 }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'platen/file-name': 'error',
      'platen/reasoned-disable': 'error',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { ecmaVersion: 2024, globals: NODE_GLOBALS },
    rules: { 'no-undef': 'error', 'no-unused-vars': 'error', 'max-params': ['error', 3] },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { __dirname: 'readonly', module: 'writable', require: 'readonly' } },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as', objectLiteralTypeAssertions: 'never' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-empty-function': ['error', { allow: ['methods', 'arrowFunctions'] }],
      // `process.env['PATH']` and `process.env.PATH` are both plain.
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // A plugin without parameters has an empty set of them.
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      // A type parameter seen once is how a context key carries its type.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // The methods of our interfaces are closures: nothing in them asks for `this`.
      '@typescript-eslint/unbound-method': 'off',
      // An unused name in a pattern that takes the rest is how a key is left out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
    },
  },
  {
    files: SOURCES,
    rules: {
      'platen/file-name': ['error', { source: true }],
      'platen/reasoned-assertion': 'error',
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
  {
    files: TESTS,
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/max-params': 'off',
      // What a test reads from JSON, from a matcher or from a page is checked by its expectations.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
    },
  },
  // The template's own tsconfig.json is a third party's: it holds the sources alone.
  {
    files: ['plugin-template/test/**/*.ts'],
    languageOptions: { parserOptions: { projectService: false, project: ['test/tsconfig.json'] } },
  },
  { files: ['.config/**/*.ts'], extends: [tseslint.configs.disableTypeChecked] },
);
