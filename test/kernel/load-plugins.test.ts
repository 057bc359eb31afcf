import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discoverPlugins, KERNEL_VERSION, loadPlugins, selectPlugins } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../../kernel/package.json' with { type: 'json' };
import { writePlugin } from './write-plugin.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(() => rm(root, { recursive: true }));

const discover = () => discoverPlugins({ installation: root, operatorDir: join(root, 'site') });

describe('loadPlugins', () => {
  const load = async (platen: Record<string, unknown>, code?: string) => {
    await writePlugin(join(root, 'plugins/x/y'), platen, code);
    return loadPlugins(await discover());
  };

  it('imports the definition', async () => {
    const { loaded } = await load({ name: 'fine', kernel: '^0.1.0' });
    expect(loaded).toMatchObject([{ definition: { name: 'fine' }, version: '1.2.3' }]);
  });

  it('refuses a plugin made for another kernel, without running it', async () => {
    await expect(load({ name: 'old', kernel: '^9.0.0' }, 'throw new Error("ran")')).rejects.toMatchObject({
      code: 'boot_kernel_range',
      message: `plugin "old" (plugins/x/y 1.2.3) is made for kernel ^9.0.0, this is ${KERNEL_VERSION}`,
    });
  });

  it('refuses a plugin that does not say for which kernels it is made, without running it', async () => {
    await expect(load({ name: 'vague', kernel: undefined }, 'throw new Error("ran")')).rejects.toMatchObject({
      code: 'boot_invalid_plugin',
      message: expect.stringContaining('plugin "vague" (plugins/x/y 1.2.3) needs a range of kernel versions as "platen.kernel"') as unknown,
    });
    await expect(load({ name: 'vague', kernel: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('"platen.kernel"') as unknown,
    });
  });

  it.each([
    ['a package whose definition has an unknown field', 'export default { name: "odd", output: [] };'],
    ['a package whose definition has a field of another type', 'export default { name: "odd", outputs: {} };'],
    ['a package that cannot be imported', 'throw new Error("broken")'],
    ['a package without a default export', 'export const x = 1;'],
    ['a package whose definition has another name', 'export default { name: "other" };'],
  ])('refuses %s', async (_what, code) => {
    await expect(load({ name: 'odd' }, code)).rejects.toMatchObject({ code: 'boot_invalid_plugin' });
  });

  it.each([
    ['requires', ['screenshot']],
    ['outputs', ['png']],
    ['keys', ['a']],
    ['flags', ['b']],
  ])('refuses a package whose "platen.%s" is not what its definition has', async (field, names) => {
    await expect(load({ name: 'odd', [field]: names })).rejects.toMatchObject({
      code: 'boot_invalid_plugin',
      message: expect.stringContaining(`"platen.${field}" in its package.json is [${names.join()}], its definition has []`) as unknown,
    });
  });

  it('refuses a manifest that is malformed, naming the file', async () => {
    await expect(load({ name: 'odd', requires: 'screenshot' })).rejects.toMatchObject({
      message: expect.stringMatching(/"platen.requires" in ".*package.json"/) as unknown,
    });
    await writeFile(join(root, 'plugins/x/y/package.json'), '{');
    await expect(discover()).rejects.toMatchObject({
      code: 'boot_invalid_plugin',
      message: expect.stringMatching(/package.json" is not valid JSON/) as unknown,
    });
  });

  it("the kernel's version is its package's", () => {
    expect(KERNEL_VERSION).toBe(manifest.version);
  });
});

describe('a plugin found among the dependencies', () => {
  const describedBy = (name: string, fields: object) => `export default ${JSON.stringify({ name, ...fields })};`;
  const withKey = (name: string, key: string) =>
    [{ name, keys: [key] }, describedBy(name, { params: { [key]: { type: 'string' } } })] as const;
  const withNeeds = (name: string, requires: readonly string[]) => [{ name, requires }, describedBy(name, { requires })] as const;
  type Package = readonly [platen: { readonly name: string } & Readonly<Record<string, unknown>>, code?: string];

  /** What becomes of plugins of the operator's beside one of Platen's own, which has the key "shared" and the name "own". */
  async function loadBeside(packages: readonly Package[], named: readonly string[] = []) {
    await writePlugin(join(root, 'plugins/x/own'), ...withKey('own', 'shared'));
    const site = join(root, 'site');
    for (const [index, plugin] of packages.entries()) await writePlugin(join(site, `node_modules/p${String(index)}`), ...plugin);
    await writeFile(
      join(site, 'package.json'),
      JSON.stringify({ dependencies: Object.fromEntries(packages.map((_, index) => [`p${String(index)}`, '1'])) }),
    );
    const { enabled } = selectPlugins(await discoverPlugins({ installation: root, operatorDir: site, extra: named }), {});
    const { loaded, broken } = await loadPlugins(enabled, ({ length }) => {
      if (length > 4) throw new Error('the caller has its own objections');
    });
    return {
      loaded: loaded.map(({ definition, packageName }) => `${definition.name}@${packageName}`),
      broken: broken.map(({ packageName, fault }) => [packageName, fault]),
    };
  }

  it.each<readonly [what: string, plugin: Package, fault: string]>([
    [
      'throws when it is imported',
      [{ name: 'odd' }, 'throw new Error("out of order")'],
      'plugin "odd" (p0) cannot be loaded: Error: out of order',
    ],
    [
      'has a definition that is wrong',
      [{ name: 'odd' }, 'export default { name: "odd", outputs: {} };'],
      'the definition of the plugin "odd" (p0) is invalid',
    ],
    ['is made for another kernel', [{ name: 'odd', kernel: '^9.0.0' }], 'plugin "odd" (p0 1.2.3) is made for kernel ^9.0.0'],
    ['has a malformed package.json', [{ name: 'odd', keys: 'a' }], '"platen.keys" in '],
    ['requires a plugin that is not there', withNeeds('odd', ['screenshot']), '"odd" requires "screenshot"'],
    ['has the name of another', [{ name: 'own' }], 'packages "plugins/x/own" and "p0" both contain a plugin named "own"'],
    ['has a key of another', withKey('odd', 'shared'), '"shared"'],
  ])('that %s is left out, with the cause, and the others are loaded', async (_what, plugin, fault) => {
    const { loaded, broken } = await loadBeside([plugin, [{ name: 'fine' }]]);
    expect(loaded).toEqual(['own@plugins/x/own', 'fine@p1']);
    expect(broken).toEqual([['p0', expect.stringContaining(fault)]]);
  });

  it('is left out with what requires it', async () => {
    const { loaded, broken } = await loadBeside([
      withNeeds('third', ['second']),
      withNeeds('second', ['first']),
      [{ name: 'first' }, 'throw 1'],
    ]);
    expect(loaded).toEqual(['own@plugins/x/own']);
    expect(broken).toEqual([
      ['p0', expect.stringContaining('"third" requires "second"')],
      ['p1', expect.stringContaining('"second" requires "first"')],
      ['p2', expect.stringContaining('cannot be loaded: 1')],
    ]);
  });

  it('is loaded after what it requires, whichever is found first', async () => {
    const { broken } = await loadBeside([withNeeds('third', ['second']), withNeeds('second', ['first']), [{ name: 'first' }]]);
    expect(broken).toEqual([]);
  });

  it('is left out where the caller objects', async () => {
    const { broken } = await loadBeside(['a', 'b', 'c', 'd'].map((name) => [{ name }]));
    expect(broken).toEqual([['p3', 'the caller has its own objections']]);
  });

  it('ends the start where it is named', async () => {
    await expect(loadBeside([[{ name: 'odd' }, 'throw new Error("out of order")']], ['p0'])).rejects.toMatchObject({
      code: 'boot_invalid_plugin',
    });
  });
});
