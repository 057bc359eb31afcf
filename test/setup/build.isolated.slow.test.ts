import { existsSync, readFileSync, symlinkSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { build, findStaleness } from '../../server/setup/build.mjs';
import { type FakeClone, openFakeClone } from './fake-clone.js';

describe('the build', () => {
  it('is asked for once, and again after each kind of change', async () => {
    using clone = openFakeClone();
    const changes: readonly (readonly [change: () => void, why: string])[] = [
      [() => clone.write('kernel/src/browser/process/executable.ts', 'export const changed = 1;'), 'the sources are newer'],
      [() => utimesSync(join(clone.root, 'kernel/src/browser/process/executable.ts'), 1, 1), 'the sources are newer'],
      [() => clone.write('kernel/tsconfig.json', '{ "other": true }'), 'the sources are newer'],
      [() => clone.remove('kernel/dist/browser/process/executable.js'), 'outputs are missing'],
      [() => clone.write('kernel/dist/browser/process/executable.js', ''), 'outputs were changed after the build'],
      [() => clone.remove('.runtime'), 'the sources are newer'],
    ];
    expect(findStaleness(clone.root)).toBe('outputs are missing');
    await build(clone.root);
    for (const [change, why] of changes) {
      expect(findStaleness(clone.root)).toBeUndefined();
      change();
      expect(findStaleness(clone.root)).toBe(why);
      await build(clone.root);
    }
  });

  const OUTPUT = 'kernel/dist/browser/process/executable.js';

  it.each<readonly [what: string, spoil: (clone: FakeClone) => void]>([
    ['were removed', (clone) => clone.remove('kernel/dist/browser')],
    ['were cut off', (clone) => truncateSync(join(clone.root, OUTPUT), 5)],
    [
      'were cut off in a build that did not come to its end',
      (clone) => {
        clone.write(OUTPUT, '');
        clone.write('.runtime/build.json', '{}');
      },
    ],
  ])('brings back outputs that %s, beside the compiler’s own record of them', async (_what, spoil) => {
    using clone = openFakeClone();
    clone.remove('node_modules/@typescript');
    symlinkSync(new URL('../../node_modules/@typescript', import.meta.url).pathname, join(clone.root, 'node_modules/@typescript'));
    clone.write('tsconfig.json', '{ "files": [], "references": [{ "path": "kernel" }] }');
    const compilerOptions = { composite: true, rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo', types: [] };
    clone.write('kernel/tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
    clone.write('kernel/src/browser/process/executable.ts', 'export const there = true;');
    await build(clone.root);
    const whole = readFileSync(join(clone.root, OUTPUT), 'utf8');
    spoil(clone);
    expect(existsSync(join(clone.root, 'kernel/dist/.tsbuildinfo'))).toBe(true);
    await build(clone.root);
    expect(findStaleness(clone.root)).toBeUndefined();
    expect(readFileSync(join(clone.root, OUTPUT), 'utf8')).toBe(whole);
  });

  it('that is killed is not taken for one that has ended', async () => {
    using clone = openFakeClone();
    await build(clone.root);
    clone.write(
      'node_modules/@typescript/native/bin/tsc',
      "require('node:fs').writeFileSync('kernel/dist/browser/process/executable.js', ''); process.exit(1);",
    );
    await expect(build(clone.root)).rejects.toMatchObject({ name: 'SetupError' });
    expect(findStaleness(clone.root)).toBe('the sources are newer');
  });

  it('that fails says what the compiler said, and leaves the build asked for', async () => {
    using clone = openFakeClone();
    clone.write('node_modules/@typescript/native/bin/tsc', "console.log('kernel/src/a.ts(1,1): error TS1: no'); process.exit(2);");
    await expect(build(clone.root)).rejects.toMatchObject({
      name: 'SetupError',
      message: expect.stringContaining('error TS1: no'),
      advice: expect.stringContaining('compiler'),
    });
    expect(findStaleness(clone.root)).toBe('outputs are missing');
  });
});
