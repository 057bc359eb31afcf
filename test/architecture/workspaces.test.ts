import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listWorkspaces, readManifest, ROOT } from './workspaces.js';

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
    expect(manifest.files).toEqual(expect.arrayContaining(['dist/**/*.js', 'dist/**/*.d.ts', 'README.md']));
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
    expect(Object.keys(manifest.exports ?? {})).toContain('.');
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

describe.each(packages.filter((folder) => folder.startsWith('plugins/') && !folder.startsWith('plugins/lib/')))(
  'the plugin in %s',
  (folder) => {
    const { name, platen } = readManifest(folder);

    it('says in its package.json what it is, so that it is known without running it', () => {
      const [, family = '', own = ''] = folder.split('/');
      expect(platen).toMatchObject({
        // "basic" alone would not say of what.
        name: family === 'auth' ? `auth-${own}` : own,
        kernel: expect.any(String),
        outputs: expect.any(Array),
        keys: expect.any(Array),
      });
      expect(name).toBe(`@platen/plugin-${platen?.name ?? ''}`);
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
