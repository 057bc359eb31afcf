import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateManifest } from '@platen/kernel/testing';
import { describe, expect, it } from 'vitest';
import { importPlugin, listPlugins, listWorkspaces, readManifest, ROOT } from './workspaces.js';

const root = readManifest('.');
const workspaces = listWorkspaces();
const packages = workspaces.filter((folder) => folder !== 'test');
const names = new Map(packages.map((folder) => [readManifest(folder).name, folder]));

it('sees the workspaces', () => {
  expect(workspaces).toEqual(expect.arrayContaining(['schema', 'kernel', 'server', 'plugin-template', 'test', 'plugins/output/png']));
});

describe.each(packages)('the package in %s', (folder) => {
  const manifest = readManifest(folder);

  it('is described, licensed and versioned like the others', () => {
    expect(manifest).toMatchObject({ version: root.version, license: 'Apache-2.0', type: 'module', engines: root.engines });
    expect(manifest.description).toMatch(/^[A-Z].*\.$/);
    expect(manifest.files).toEqual(expect.arrayContaining(['dist/**/*.js', 'dist/**/*.d.ts']));
    expect(manifest.files?.includes('README.md')).toBe(!folder.startsWith('plugins/lib/'));
  });

  it.runIf(folder.startsWith('plugins/'))('has a README, or as a library a comment at the top of its sources', () => {
    const isLibrary = folder.startsWith('plugins/lib/');
    expect(existsSync(join(ROOT, folder, 'README.md'))).toBe(!isLibrary);
    if (isLibrary)
      expect(readFileSync(join(ROOT, folder, 'src/index.ts'), 'utf8')).toMatch(
        /^\/\*\*[^/]*\S.*\n(?: \*.*\n)*? \* @packageDocumentation\n/,
      );
  });

  it('leads tests and tools to its sources', () => {
    for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
      if (entry === './package.json') continue;
      const source = typeof target === 'string' ? '' : (target['platen-source'] ?? '');
      const path = /^\.\/src\/(.+)\.ts$/.exec(source)?.[1] ?? 'nowhere';
      expect(target, entry).toEqual({ 'platen-source': `./src/${path}.ts`, types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` });
      expect(existsSync(join(ROOT, folder, source)), source).toBe(true);
      expect(Object.keys(target), 'the first condition that matches wins').toEqual(['platen-source', 'types', 'default']);
    }
    const entries = manifest.platen?.plugins?.map(({ entry }) => entry) ?? ['.'];
    expect(Object.keys(manifest.exports ?? {})).toEqual(expect.arrayContaining(entries));
  });

  it('is built with the others, after the packages that it imports', () => {
    const references = readReferences(join(folder, 'tsconfig.json')).map((path) => join(folder, path));
    expect(readReferences('tsconfig.json')).toContain(folder);
    const imported = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).map((name) => names.get(name));
    // A third party's package names no folder of this repository: the template is built against what was built before it.
    const stands = folder === 'plugin-template' ? readReferences('tsconfig.json').slice(0, -1) : references;
    for (const needed of imported) if (needed !== undefined) expect(stands).toContain(needed);
  });

  it('names other packages of this repository by their version', () => {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      const other = names.get(name);
      if (other !== undefined) expect(range, name).toBe(readManifest(other).version);
    }
  });
});

const plugins = listPlugins();

describe.each(packages.filter((folder) => folder.startsWith('plugins/') && !folder.startsWith('plugins/lib/')))(
  'the plugins in %s',
  (folder) => {
    const { name, platen, dependencies = {} } = readManifest(folder);
    const own = plugins.filter((plugin) => plugin.folder === folder);

    it('declare what they are, so that they are known without running them', async () => {
      const definitions = await Promise.all(own.map(importPlugin));
      const declared = `${JSON.stringify(generateManifest(readManifest(folder), definitions), null, 2)}\n`;
      await expect(declared, '`npm run manifests` writes package.json').toMatchFileSnapshot(join(ROOT, folder, 'package.json'));
    });

    it('are named like their package, if there is one', () => {
      const [, family = '', last = ''] = folder.split('/');
      // "basic" alone would not say of what.
      const expected = family === 'auth' ? `auth-${last}` : last;
      expect(name).toBe(`@platen/plugin-${expected}`);
      expect(platen).toMatchObject(
        platen?.plugins === undefined ? { name: expected, kernel: expect.any(String) } : { kernel: expect.any(String) },
      );
    });

    it('come with the plugins that they require', () => {
      const required = plugins.filter((plugin) => plugin.folder !== folder && own.some(({ requires }) => requires.includes(plugin.name)));
      for (const plugin of required) expect(dependencies).toHaveProperty([readManifest(plugin.folder).name]);
    });
  },
);

describe.each(packages.filter((folder) => folder.startsWith('plugins/lib/')))('the library in %s', (folder) => {
  it('is no plugin', () => {
    expect(readManifest(folder).platen).toBeUndefined();
    expect(readManifest(folder).name).toBe(`@platen/lib-${folder.split('/')[2] ?? ''}`);
  });
});

it('keeps install scripts of packages from running, also with an npm that does not know the list', () => {
  expect(root).toMatchObject({ allowScripts: { puppeteer: false, esbuild: false } });
  expect(readFileSync(join(ROOT, '.puppeteerrc.cjs'), 'utf8')).toContain('skipDownload: true');
});

it('has a lockfile that names every workspace', () => {
  const { packages: locked } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  expect(Object.keys(locked)).toEqual(expect.arrayContaining([...workspaces]));
});

function readReferences(file: string): readonly string[] {
  const { references = [] }: { readonly references?: readonly { readonly path: string }[] } = JSON.parse(
    readFileSync(join(ROOT, file), 'utf8'),
  );
  return references.map(({ path }) => path);
}
