import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discoverPlugins, loadPlugins, selectPlugins, type DiscoveredPlugin } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writePlugin } from './write-plugin.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(() => rm(root, { recursive: true }));

const pluginPackage = (directory: string, platen: Record<string, unknown>, code?: string) =>
  writePlugin(join(root, directory), platen, code);
const readPackage = async (folder: string): Promise<object> => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
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

  it('finds the plugins beside the server where npm installed it, and no other package', async () => {
    await pluginPackage('plugin-png', { name: 'png' });
    await pluginPackage('server', {});
    expect((await discover()).map(({ name }) => name)).toEqual(['png']);
  });

  it('passes over a dependency whose package.json is not JSON, unless --plugin names it', async () => {
    await pluginPackage('site/node_modules/direct', { name: 'direct' });
    const broken = await pluginPackage('site/node_modules/broken', {});
    await writeFile(join(broken, 'package.json'), '{broken');
    await writeFile(join(root, 'site/package.json'), JSON.stringify({ dependencies: { broken: '1', direct: '1' } }));
    expect((await discover()).map(({ name }) => name)).toEqual(['direct']);
    await expect(discover(['broken'])).rejects.toMatchObject({ code: 'boot_invalid_plugin' });
  });

  it('counts a plugin that is reached twice once', async () => {
    const folder = await pluginPackage('plugins/output/png', { name: 'png' });
    expect(await discover([folder])).toHaveLength(1);
  });

  it('finds every plugin of a package, also where --plugin names the package', async () => {
    const names = ['mkv', 'mp4', 'webm'];
    const folder = await pluginPackage('elsewhere', { plugins: names.map((name) => ({ name, entry: `./${name}`, outputs: [name] })) }, '');
    const exports = Object.fromEntries(names.map((name) => [`./${name}`, { types: './none.d.ts', default: `./${name}.js` }]));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ ...(await readPackage(folder)), description: 'All.', exports }));
    const found = await discover([folder]);
    expect(found.map(({ name, entry, outputs, kernelRange, fault }) => ({ name, entry, outputs, kernelRange, fault }))).toEqual(
      names.map((name) => ({ name, entry: join(folder, `${name}.js`), outputs: [name], kernelRange: '*', fault: undefined })),
    );
    expect(found.map(({ description }) => description)).toEqual(['All.', 'All.', 'All.']);
    const { enabled, absent } = selectPlugins(found, { only: ['mkv'] });
    expect([enabled, absent].map((plugins) => plugins.map(({ name }) => name))).toEqual([['mkv'], ['mp4', 'webm']]);
  });

  it('takes the main file of a package whose exports do not name it', async () => {
    const folder = await pluginPackage('elsewhere', { name: 'one' }, '');
    const manifest = { ...(await readPackage(folder)), main: 'main.js', exports: { './package.json': './package.json' } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    expect(await discover([folder])).toMatchObject([{ name: 'one', entry: join(folder, 'main.js') }]);
  });

  it('takes the path of a folder as a shell completes it, after a package of that name', async () => {
    await pluginPackage('site/plug/ok', { name: 'by-folder' });
    await pluginPackage('site/both', { name: 'folder' });
    await pluginPackage('site/node_modules/both', { name: 'package' });
    expect((await discover(['plug/ok', 'plug/ok/', 'both'])).map(({ name }) => name)).toEqual(['by-folder', 'package']);
  });

  it('says what a --plugin names that is none', async () => {
    await expect(discover(['no-such-package'])).rejects.toMatchObject({ code: 'boot_unknown_plugin' });
    for (const platen of [{}, { plugins: [] }]) {
      const folder = await pluginPackage('plain', platen);
      await expect(discover([folder])).rejects.toMatchObject({
        code: 'boot_invalid_plugin',
        message: expect.stringContaining('no "platen" field') as unknown,
      });
    }
  });
});

describe('a package.json that declares plugins wrongly', () => {
  const one = { name: 'one' };

  it.each([
    ['no list', { plugins: 'one' }, 'package "plugins/x/y" lists a plugin without a "name" in "platen.plugins"'],
    ['an entry that is no object', { plugins: [null] }, 'package "plugins/x/y" lists a plugin without a "name" in "platen.plugins"'],
    [
      'an entry without a name',
      { plugins: [one, { entry: '.' }] },
      'package "plugins/x/y" lists a plugin without a "name" in "platen.plugins"',
    ],
    ['two equal names', { plugins: [one, one] }, 'package "plugins/x/y" lists two plugins named "one" in "platen.plugins"'],
    [
      'an entry that is not exported',
      { plugins: [{ ...one, entry: './one' }] },
      'plugin "one" of package "plugins/x/y": its "entry" "./one" is not among the "exports" of the package',
    ],
    [
      'an entry of another type',
      { name: 'one', entry: 1 },
      'plugin "one" of package "plugins/x/y": its "entry" 1 is not among the "exports" of the package',
    ],
  ])('%s: ends the start, unless it is a dependency', async (_what, platen, message) => {
    await pluginPackage('plugins/x/y', platen);
    await expect(loadPlugins(await discover())).rejects.toMatchObject({ code: 'boot_invalid_plugin', message });
    const optional = (await discover()).map((plugin) => ({ ...plugin, optional: true }));
    expect((await loadPlugins(optional)).broken.map(({ fault }) => fault)).toContain(message);
  });
});

describe('selectPlugins', () => {
  async function found() {
    await pluginPackage('plugins/capture/screenshot', { name: 'screenshot' });
    await pluginPackage('plugins/output/png', { name: 'png', requires: ['screenshot'] });
    await pluginPackage('plugins/output/jpg', { name: 'jpg', requires: ['screenshot'] });
    return discover();
  }
  const names = (plugins: readonly { name: string }[]) => plugins.map(({ name }) => name);

  it('enables everything by default', async () => {
    expect(names(selectPlugins(await found(), {}).enabled)).toEqual(['screenshot', 'jpg', 'png']);
  });

  it('--plugins allows only those and what they require', async () => {
    const { enabled, absent } = selectPlugins(await found(), { only: ['png'] });
    expect([names(enabled), names(absent)]).toEqual([['screenshot', 'png'], ['jpg']]);
  });

  it('--disable-plugins takes away of what --plugins asks for', async () => {
    expect(names(selectPlugins(await found(), { only: ['png', 'jpg'], without: ['jpg'] }).enabled)).toEqual(['screenshot', 'png']);
  });

  it('--disable-plugins is named where it takes away what --plugins requires', async () => {
    const all = await found();
    expect(() => selectPlugins(all, { only: ['png', 'jpg'], without: ['screenshot'] })).toThrow(
      expect.objectContaining({
        code: 'boot_missing_requirement',
        message: 'plugins require others that --disable-plugins disables: "jpg" requires "screenshot"; "png" requires "screenshot"',
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
        message: 'plugins "a", "b" cannot be enabled without a disabled plugin: use --disable-plugins base,a,b',
      }) as Error,
    );
    expect(names(selectPlugins(all, { without: ['base', 'a', 'b'] }).enabled)).toEqual(['c']);
  });

  it('takes for optional what was found among the dependencies and is not named, nor required by what must be there', async () => {
    await pluginPackage('plugins/output/png', { name: 'png', requires: ['base'] });
    const dependencies = [['base'], ['other'], ['needy', 'other'], ['png'], ['extra']].map(([name = '', ...requires]) => ({
      name,
      requires,
    }));
    for (const { name, requires } of dependencies) await pluginPackage(`site/node_modules/own-${name}`, { name, requires });
    const listed = Object.fromEntries(dependencies.map(({ name }) => [`own-${name}`, '1']));
    await writeFile(join(root, 'site/package.json'), JSON.stringify({ dependencies: listed }));
    const optional = (options: Parameters<typeof selectPlugins>[1], all: readonly DiscoveredPlugin[]) =>
      selectPlugins(all, options).enabled.flatMap((plugin) => (plugin.optional === true ? [plugin.packageName] : []));
    expect(optional({}, await discover())).toEqual(['own-other', 'own-needy', 'own-png', 'own-extra']);
    expect(optional({}, await discover(['own-needy']))).toEqual(['own-png', 'own-extra']);
    expect(optional({ only: ['needy'] }, await discover())).toEqual([]);
  });

  it.each([{ only: ['pgn'] }, { without: ['pgn'] }])('refuses a name that no plugin has: %j', async (choice) => {
    const all = await found();
    expect(() => selectPlugins(all, choice)).toThrow(expect.objectContaining({ code: 'boot_unknown_plugin' }) as Error);
  });
});
