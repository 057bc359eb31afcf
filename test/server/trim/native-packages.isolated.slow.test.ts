import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativePackageOf } from '../../../server/src/trim/native-packages.js';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(root, { recursive: true }));

async function write(path: string, content: string | object): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
}

const writePackage = async (name: string, manifest: object = {}) => {
  await write(`node_modules/${name}/package.json`, { name, version: '1.0.0', main: 'main.js', ...manifest });
  await write(`node_modules/${name}/main.js`, `module.exports = 'code of ${name}';`);
};

describe('a package holds machine code where', () => {
  it.each([
    ['it has a package for each platform', { optionalDependencies: { '@p/linux': '1', '@p/mac': '1' } }, true],
    ['it is compiled on the host', { gypfile: true }, true],
    ['it fetches what was compiled', { binary: { module_name: 'x' } }, true],
    ['never by optional packages for any platform', { optionalDependencies: { anywhere: '1', 'not-installed': '1' } }, false],
    ['never without any of these', {}, false],
  ])('%s', async (_, manifest, expected) => {
    await writePackage('@p/linux', { os: ['linux'] });
    await writePackage('anywhere');
    await writePackage('judged', manifest);
    expect(nativePackageOf('judged', root)).toBe(expected ? 'judged' : undefined);
  });

  it('it has a binding.gyp', async () => {
    await writePackage('bound');
    expect(nativePackageOf('bound', root)).toBeUndefined();
    await write('node_modules/bound/binding.gyp', '{}');
    expect(nativePackageOf('bound', root)).toBe('bound');
  });

  it('it is sharp', () => {
    expect(nativePackageOf('sharp', import.meta.dirname)).toBe('sharp');
  });
});

it('is named by any path inside it, and from any folder below', async () => {
  await writePackage('@scope/native', { gypfile: true });
  await mkdir(join(root, 'deep/er'), { recursive: true });
  expect(nativePackageOf('@scope/native/lib/inner.js', join(root, 'deep/er'))).toBe('@scope/native');
  expect(nativePackageOf('@scope/native', dirname(root))).toBeUndefined();
  expect(nativePackageOf('fs', root)).toBeUndefined();
  expect(nativePackageOf('node:fs', root)).toBeUndefined();
});
