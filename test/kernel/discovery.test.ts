import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discoverPlugins, KERNEL_VERSION, loadPlugins, selectPlugins, type DiscoveredPlugin } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../../kernel/package.json' with { type: 'json' };

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(() => rm(root, { recursive: true }));

/** Writes a plugin package whose code fails loudly if anything runs it before it is loaded. */
async function pluginPackage(
  directory: string,
  platen: Record<string, unknown>,
  code = `export default { name: '${String(platen['name'])}' };`,
) {
  const folder = join(root, directory);
  await mkdir(folder, { recursive: true });
  const name = directory.split('node_modules/').at(-1);
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      name,
      version: '1.2.3',
      type: 'module',
      exports: { '.': { default: './main.js' } },
      platen: { kernel: '*', ...platen },
    }),
  );
  await writeFile(join(folder, 'main.js'), code);
  return folder;
}

const discover = (extra: readonly string[] = []) => discoverPlugins({ installation: root, operatorDir: join(root, 'site'), extra });

describe('discoverPlugins', () => {
  it("finds the installation's plugins, the operator's direct dependencies, and what is named by path or package, running no code", async () => {
    const boom = 'throw new Error("ran")';
    await pluginPackage('plugins/output/png', { name: 'png', outputs: ['png'] }, boom);
    await pluginPackage('plugins/lib/raster', {}, boom);
    await pluginPackage('site/node_modules/direct', { name: 'direct', keys: ['a'] }, boom);
    await pluginPackage('site/node_modules/indirect', { name: 'indirect' }, boom);
    await pluginPackage('site/node_modules/@scope/named', { name: 'named' }, boom);
    await pluginPackage('elsewhere', { name: 'elsewhere' }, boom);
    await writeFile(join(root, 'site/package.json'), JSON.stringify({ dependencies: { direct: '1' } }));
    const found = await discover(['../elsewhere', '@scope/named']);
    expect(found.map(({ name, version }) => `${name}@${version}`)).toEqual(['png@1.2.3', 'direct@1.2.3', 'elsewhere@1.2.3', 'named@1.2.3']);
  });

  it('counts a plugin that is reached twice once', async () => {
    const folder = await pluginPackage('plugins/output/png', { name: 'png' });
    expect(await discover([folder])).toHaveLength(1);
  });

  it('takes the path of a folder as a shell completes it, after a package of that name', async () => {
    await pluginPackage('site/plug/ok', { name: 'by-folder' });
    await pluginPackage('site/both', { name: 'folder' });
    await pluginPackage('site/node_modules/both', { name: 'package' });
    expect((await discover(['plug/ok', 'plug/ok/', 'both'])).map(({ name }) => name)).toEqual(['by-folder', 'package']);
  });

  it('says what a --plugin names that is none', async () => {
    await expect(discover(['no-such-package'])).rejects.toMatchObject({ code: 'boot_unknown_plugin' });
    const folder = await pluginPackage('plain', {});
    await expect(discover([folder])).rejects.toMatchObject({
      code: 'boot_invalid_plugin',
      message: expect.stringContaining('no "platen" field') as unknown,
    });
  });
});

describe('selectPlugins', () => {
  async function found() {
    await pluginPackage('plugins/capture/pixels', { name: 'pixels' });
    await pluginPackage('plugins/output/png', { name: 'png', requires: ['pixels'] });
    await pluginPackage('plugins/output/jpg', { name: 'jpg', requires: ['pixels'] });
    return discover();
  }
  const names = (plugins: readonly { name: string }[]) => plugins.map(({ name }) => name);

  it('enables everything by default', async () => {
    expect(names(selectPlugins(await found(), {}).enabled)).toEqual(['pixels', 'jpg', 'png']);
  });

  it('--plugins allows only those and what they require', async () => {
    const { enabled, absent } = selectPlugins(await found(), { only: ['png'] });
    expect([names(enabled), names(absent)]).toEqual([['pixels', 'png'], ['jpg']]);
  });

  it('--disable-plugins takes away of what --plugins asks for', async () => {
    expect(names(selectPlugins(await found(), { only: ['png', 'jpg'], without: ['jpg'] }).enabled)).toEqual(['pixels', 'png']);
  });

  it('--disable-plugins is named where it takes away what --plugins requires', async () => {
    const all = await found();
    expect(() => selectPlugins(all, { only: ['png', 'jpg'], without: ['pixels'] })).toThrow(
      expect.objectContaining({
        code: 'boot_missing_requirement',
        message: 'plugins require others that --disable-plugins takes away: "jpg" requires "pixels"; "png" requires "pixels"',
      }) as Error,
    );
  });

  it('--disable-plugins names all that must go too, and takes them where they are named', async () => {
    const plugin = (name: string, requires: string[] = []): DiscoveredPlugin => ({
      ...{ name, requires, packageName: name, version: '1.0.0', directory: '', entry: '', kernelRange: '*' },
      ...{ outputs: [], keys: [], flags: [] },
    });
    const all = [plugin('base'), plugin('b', ['a']), plugin('a', ['base']), plugin('c')];
    expect(() => selectPlugins(all, { without: ['base'] })).toThrow(
      expect.objectContaining({
        code: 'boot_missing_requirement',
        message: 'plugins "a", "b" cannot be enabled without what is disabled: --disable-plugins base,a,b',
      }) as Error,
    );
    expect(names(selectPlugins(all, { without: ['base', 'a', 'b'] }).enabled)).toEqual(['c']);
  });

  it.each([{ only: ['pgn'] }, { without: ['pgn'] }])('refuses a name that no plugin has: %j', async (choice) => {
    const all = await found();
    expect(() => selectPlugins(all, choice)).toThrow(expect.objectContaining({ code: 'boot_unknown_plugin' }) as Error);
  });
});

describe('loadPlugins', () => {
  const load = async (platen: Record<string, unknown>, code?: string) => {
    await pluginPackage('plugins/x/y', platen, code);
    return loadPlugins(await discover());
  };

  it('imports the definition', async () => {
    const [plugin] = await load({ name: 'fine', kernel: '^0.1.0' });
    expect(plugin).toMatchObject({ definition: { name: 'fine' }, version: '1.2.3' });
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
      message: expect.stringContaining('plugin "vague" (plugins/x/y 1.2.3) needs a range of kernels as "platen.kernel"') as unknown,
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
    ['requires', ['pixels']],
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
    await expect(load({ name: 'odd', requires: 'pixels' })).rejects.toMatchObject({
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
