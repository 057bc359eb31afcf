import { createRequire } from 'node:module';

const { FLOORS } = createRequire(import.meta.url)('./dependency-cruiser.cjs');

// A miniature of the tree for `layers.mjs`: folder -> package name, and one file for each breach. `rule` is absent where the file is
// allowed, to show that a rule does not say no to everything, and null where the file is only the other half of a breach.

export const MINIATURE = {
  schema: '@platen/schema',
  kernel: '@platen/kernel',
  server: '@platen/server',
  'plugin-template': '@platen/plugin-ppm',
  'plugins/output/png': '@platen/plugin-png',
  'plugins/capture/screenshot': '@platen/plugin-screenshot',
  'plugins/service/cache': '@platen/plugin-cache',
  'plugins/lib/raster': '@platen/lib-raster',
};

const value = (from) => `import { here } from '${from}';\nexport const there = here;\n`;
const type = (from) => `import type { here } from '${from}';\nexport type There = typeof here;\n`;
const core = (from) => `import * as all from '${from}';\nexport const there = all;\n`;

/** Each floor imports the floor above it, which is wrong, and the top floor imports the one below it, which is right. */
function floorBreaches([parent, floors]) {
  const up = floors.slice(1).map((floor, index) => ({
    rule: `floor-${parent}/${floor}`,
    file: `${parent}/${floor}/up.ts`,
    text: type(`../${floors[index]}/here.js`),
  }));
  const here = floors.map((floor) => ({ rule: null, file: `${parent}/${floor}/here.ts`, text: 'export const here = 1;\n' }));
  const down = { file: `${parent}/${floors[0]}/down.ts`, text: type(`../${floors[1]}/here.js`) };
  const unlisted = { rule: `floor-${parent}`, file: `${parent}/unlisted/any.ts`, text: type(`../${floors[0]}/here.js`) };
  return [...up, ...here, down, unlisted];
}

export const BREACHES = [
  ...Object.entries(FLOORS).flatMap(floorBreaches),
  { rule: 'schema-stands-alone', file: 'schema/src/up.ts', text: type('@platen/kernel') },
  { rule: 'kernel-knows-no-one', file: 'kernel/src/to-server.ts', text: type('@platen/server') },
  { rule: 'kernel-knows-no-one', file: 'kernel/src/to-plugin.ts', text: type('@platen/plugin-png') },
  { file: 'kernel/src/to-schema.ts', text: value('@platen/schema') },
  { rule: 'server-knows-no-format', file: 'server/src/to-plugin.ts', text: type('@platen/plugin-png') },
  { file: 'server/src/to-kernel.ts', text: value('@platen/kernel') },
  { rule: 'plugins-share-types-and-keys', file: 'plugins/output/png/src/to-pixels.ts', text: value('@platen/plugin-screenshot') },
  { rule: 'plugins-share-types-and-keys', file: 'plugin-template/src/to-pixels.ts', text: value('@platen/plugin-screenshot') },
  { file: 'plugins/output/png/src/type-of-pixels.ts', text: type('@platen/plugin-screenshot') },
  { file: 'plugins/capture/screenshot/src/keys.ts', text: 'export const here = 1;\n' },
  { file: 'plugins/output/png/src/key-of-pixels.ts', text: value('@platen/plugin-screenshot/keys') },
  { file: 'plugins/output/png/src/to-lib.ts', text: value('@platen/lib-raster') },
  { rule: 'libraries-know-no-plugin', file: 'plugins/lib/raster/src/to-plugin.ts', text: type('@platen/plugin-png') },
  { rule: 'server-types-for-services', file: 'plugins/output/png/src/to-server.ts', text: type('@platen/server') },
  { rule: 'server-by-its-types', file: 'plugins/service/cache/src/to-server.ts', text: value('@platen/server') },
  { file: 'plugins/service/cache/src/type-of-server.ts', text: type('@platen/server') },
  { file: 'plugins/service/cache/src/to-signing.ts', text: value('@platen/server/signing') },
  { file: 'server/src/signing/index.ts', text: value('@platen/schema') + 'export const here = 1;\n' },
  { rule: 'signing-stands-alone', file: 'server/src/signing/to-server.ts', text: value('../to-kernel.js') },
  { rule: 'signing-stands-alone', file: 'server/src/signing/to-kernel.ts', text: value('@platen/kernel') },
  { rule: 'server-types-for-services', file: 'plugins/output/png/src/to-signing.ts', text: value('@platen/server/signing') },
  { rule: 'in-page-stands-alone', file: 'plugins/output/png/src/in-page/to-node.ts', text: core('node:fs') },
  { rule: 'in-page-stands-alone', file: 'plugins/output/png/src/in-page/to-plugin.ts', text: value('../to-lib.js') },
  { file: 'plugins/output/png/src/in-page/type-of-plugin.ts', text: type('../to-lib.js') },
  { file: 'plugins/output/png/src/in-page/index.ts', text: value('@platen/lib-raster') + 'export const here = 1;\n' },
  { rule: 'in-page-by-its-entry', file: 'plugins/output/png/src/past-in-page.ts', text: value('./in-page/index-of-more.js') },
  { file: 'plugins/output/png/src/in-page/index-of-more.ts', text: 'export const here = 1;\n' },
  { file: 'plugins/output/png/src/to-in-page.ts', text: value('./in-page/index.js') },
  { rule: 'by-package-name', file: 'server/src/by-path.ts', text: value('../../kernel/src/index.js') },
  { rule: 'by-package-entry', file: 'server/src/inner.ts', text: value('../../kernel/src/to-schema.js') },
  { rule: 'one-browser-owner', file: 'server/src/browser.ts', text: core('puppeteer') },
  { file: 'kernel/src/browser/process/launch.ts', text: core('puppeteer') },
  { rule: 'one-dialer', file: 'plugins/output/png/src/dial.ts', text: core('node:tls') },
  { rule: 'egress-stands-alone', file: 'kernel/src/egress/to-kernel.ts', text: type('../hooks.js') },
  { rule: null, file: 'kernel/src/hooks.ts', text: 'export const here = 1;\n' },
  { file: 'kernel/src/egress/to-errors.ts', text: value('../errors.js') },
  { file: 'kernel/src/errors.ts', text: 'export const here = 1;\n' },
  { file: 'kernel/src/egress/dial.ts', text: core('node:tls') },
  { rule: 'listening-is-the-servers', file: 'kernel/src/listen.ts', text: core('node:http') },
  { file: 'server/src/listen.ts', text: core('node:http') },
  { rule: 'http-framework-in-the-server', file: 'plugins/service/cache/src/koa.ts', text: core('koa') },
  { rule: 'one-home-of-ffmpeg', file: 'plugins/output/png/src/film.ts', text: core('fluent-ffmpeg') },
  { file: 'node_modules/fluent-ffmpeg/index.js', text: 'export default 1;\n' },
  { rule: 'no-cycles', file: 'schema/src/chicken.ts', text: "export { egg } from './egg.js';\nexport const chicken = 1;\n" },
  { rule: null, file: 'schema/src/egg.ts', text: "export { chicken } from './chicken.js';\nexport const egg = 1;\n" },
  { rule: 'no-cycles', file: 'schema/src/circle-of-types.ts', text: type('./other-type.js') },
  {
    rule: null,
    file: 'schema/src/other-type.ts',
    text: "import type { There } from './circle-of-types.js';\nexport const here: There | undefined = undefined;\n",
  },
  { rule: 'resolvable', file: 'kernel/src/nowhere.ts', text: value('./not-there.js') },
];
