// The law of arrows: schema <- kernel <- plugins, kernel <- server. `.config/layers.mjs` runs it and proves that each rule fires.

const { existsSync, readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const CORE_DIAL = '^(node:)?(tls|https|http2|dgram)$';
const PACKAGES_THAT_DIAL = 'node_modules/(undici|axios|got|ky|node-fetch|ws|superagent|follow-redirects|proxy-chain|socks)/';

/** The sources that the package.json of any workspace exports: `kernel/src/index.ts` ... */
const EXPORTED = listExported();

function listExported() {
  const root = join(__dirname, '..');
  const families = readdirSync(join(root, 'plugins'));
  const plugins = families.flatMap((family) => readdirSync(join(root, 'plugins', family)).map((name) => `plugins/${family}/${name}`));
  return ['schema', 'kernel', 'server', 'plugin-template', ...plugins]
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .flatMap((folder) => {
      const { exports: entries = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return Object.values(entries).map(
        (entry) => `^${folder}/${(entry['platen-source'] ?? '').replace('./', '').replaceAll('.', '\\.')}$`,
      );
    });
}
const PLUGIN = '^(plugins/[^/]+/[^/]+|plugin-template)/';

/** Folders inside a package, from top to bottom: each imports only folders below it, types too. */
const FLOORS = {
  'kernel/src/browser': ['pool', 'page', 'process', 'emulation', 'protocol'],
  'server/src': ['trim', 'cli', 'doctor', 'boot', 'http', 'assets', 'service', 'flags', 'log', 'signing'],
};

function floorRules([parent, floors]) {
  const ordered = floors.slice(1).map((floor, index) => ({
    name: `floor-${parent}/${floor}`,
    comment: `From top to bottom: ${floors.join(', ')}. A folder imports only folders below it.`,
    from: { path: `^${parent}/${floor}/` },
    to: { path: `^${parent}/(${floors.slice(0, index + 1).join('|')})/` },
  }));
  const unlisted = {
    name: `floor-${parent}`,
    comment: 'Each folder has its place among the others: add it to FLOORS.',
    from: { path: `^${parent}/(?!(${floors.join('|')})/)[^/]+/` },
    to: {},
  };
  return [...ordered, unlisted];
}

/** For values: a type is gone once the code runs. */
const runtime = { dependencyTypesNot: ['type-only'] };

const forbidden = [
  {
    name: 'schema-stands-alone',
    comment: 'The schema knows no browser, no HTTP, no plugin.',
    from: { path: '^schema/src/' },
    to: { path: '^(kernel|server|plugins|plugin-template|test)/' },
  },
  {
    name: 'kernel-knows-no-one',
    comment: 'The kernel imports no plugin and no server.',
    from: { path: '^kernel/src/' },
    to: { path: '^(server|plugins|plugin-template|test)/' },
  },
  {
    name: 'egress-stands-alone',
    comment: 'Of the kernel the egress imports the errors and the deadline.',
    from: { path: '^kernel/src/egress/' },
    to: { path: '^kernel/src/(?!egress/|errors\\.ts$|deadline\\.ts$)' },
  },
  {
    name: 'server-knows-no-format',
    comment: 'The server imports no plugin: it finds them at run time.',
    from: { path: '^server/src/' },
    to: { path: '^(plugins|plugin-template|test)/' },
  },
  {
    name: 'plugins-share-types-and-keys',
    comment:
      "A plugin imports another plugin's package for its types and its context keys (src/keys.ts); code that is shared lives in plugins/lib.",
    from: { path: PLUGIN },
    to: { ...runtime, path: '^(plugins/(?!lib/)[^/]+/[^/]+|plugin-template)/', pathNot: ['^$1/', '/src/keys\\.ts$'] },
  },
  {
    name: 'libraries-know-no-plugin',
    comment: 'plugins/lib holds plain packages: they import the kernel, the schema and each other.',
    from: { path: '^plugins/lib/' },
    to: { path: '^(plugins/(?!lib/)|plugin-template/|server/)' },
  },
  {
    name: 'server-types-for-services',
    comment: 'Only plugins of service/ and auth/ add to the server, and adblock, whose lists are read again while it serves.',
    from: { path: PLUGIN, pathNot: '^plugins/((service|auth)/|page/adblock/)' },
    to: { path: '^server/' },
  },
  {
    name: 'server-by-its-types',
    comment: 'What adds to the server imports its types, never its code; signing is a package entry of its own.',
    from: { path: '^plugins/((service|auth)/|page/adblock/)' },
    to: { ...runtime, path: '^server/', pathNot: '^server/src/signing/index\\.ts$' },
  },
  {
    name: 'signing-stands-alone',
    comment: 'Who signs links needs no server: signing takes the schema and nothing else.',
    from: { path: '^server/src/signing/' },
    to: { path: '^(server/src/(?!signing/)|kernel/|plugins/|node_modules/)' },
  },
  {
    name: 'in-page-stands-alone',
    comment: 'Code that runs in pages imports only such code, of its folder or of plugins/lib; everything else only for its types.',
    from: { path: '/src/in-page/' },
    to: { ...runtime, pathNot: ['/src/in-page/', '^plugins/lib/', 'node_modules/@mozilla/readability/'] },
  },
  {
    name: 'in-page-by-its-entry',
    comment: 'Other code imports functions that run in pages from in-page/index.ts, which is bundled; other files only for their types.',
    from: { path: '/src/', pathNot: '/src/in-page/' },
    to: { ...runtime, path: '/src/in-page/(?!index\\.ts$)' },
  },
  {
    name: 'by-package-name',
    comment: 'Another workspace is imported by its package name, never by a path into its folder.',
    from: { path: '^(schema|kernel|server|plugin-template|plugins/[^/]+/[^/]+)/src/' },
    to: { dependencyTypesNot: ['aliased-workspace'], path: '^(schema|kernel|server|plugin-template|plugins|test)/', pathNot: '^$1/' },
  },
  {
    name: 'by-package-entry',
    comment: 'Of another workspace only what its package.json exports is imported.',
    from: { path: '^(schema|kernel|server|plugin-template|plugins/[^/]+/[^/]+)/src/' },
    to: { path: '^(schema|kernel|server|plugin-template|plugins/[^/]+/[^/]+)/', pathNot: ['^$1/', '/src/keys\\.ts$', ...EXPORTED] },
  },
  {
    name: 'one-browser-owner',
    comment: 'puppeteer is for kernel/src/browser; the device presets are for plugins/page/target.',
    from: { path: '/src/', pathNot: '^(kernel/src/browser|plugins/page/target/src)/' },
    to: { path: 'node_modules/(puppeteer|puppeteer-core|@puppeteer)/' },
  },
  {
    name: 'one-dialer',
    comment:
      "Only the kernel's egress dials: one dialer, one policy. A worker calls its front, which the policy refuses to pages; SOCKS is spoken over a connection of the egress.",
    from: { path: '/src/', pathNot: '^(kernel/src/egress/|plugins/service/(cluster/src/call-front|proxy/src/open-socks)\\.ts$)' },
    to: { ...runtime, path: [CORE_DIAL, PACKAGES_THAT_DIAL] },
  },
  {
    name: 'listening-is-the-servers',
    comment:
      'node:http and node:net are for the egress, its plugin, which validates addresses, and for the server, which listens; what may be imported of them, the linter says.',
    from: {
      path: '/src/',
      pathNot: '^(kernel/src/egress/|server/src/|plugins/service/(cluster/src/call-front|egress/src/address|proxy/src/choose-proxy)\\.ts$)',
    },
    to: { ...runtime, path: '^(node:)?(http|net)$' },
  },
  {
    name: 'http-framework-in-the-server',
    comment: 'Koa stays in the server; plugins see its types.',
    from: { path: '/src/', pathNot: '^server/src/' },
    to: { ...runtime, path: 'node_modules/(koa|@koa/[^/]+)/' },
  },
  {
    name: 'one-home-of-ffmpeg',
    comment: 'plugins/lib/ffmpeg is the one home of fluent-ffmpeg.',
    from: { path: '/src/', pathNot: '^plugins/lib/ffmpeg/' },
    to: { path: 'node_modules/fluent-ffmpeg/' },
  },
  ...Object.entries(FLOORS).flatMap(floorRules),
  {
    name: 'no-cycles',
    comment: 'No file imports itself by a detour, not even for a type.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'resolvable',
    comment: 'An import that the checker cannot resolve is an edge that it cannot judge.',
    from: {},
    to: { couldNotResolve: true },
  },
];

module.exports = {
  FLOORS,
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    // `exports` lead to the sources, as they do for the tests: with dist the edges between workspaces would not be seen.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['platen-source', 'node', 'import', 'types', 'default'],
      extensions: ['.ts', '.js', '.json', '.d.ts'],
    },
  },
};
