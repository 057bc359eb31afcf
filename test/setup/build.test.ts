import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { build, isBuilt } from '../../server/setup/build.mjs';
import { openFakeClone } from './fake-clone.js';

describe('the build', () => {
  it('is asked for once, and again after each kind of change', async () => {
    using clone = openFakeClone();
    const changes = [
      () => clone.write('kernel/src/browser/executable.ts', 'export const changed = 1;'),
      () => utimesSync(join(clone.root, 'kernel/src/browser/executable.ts'), 1, 1),
      () => clone.write('kernel/tsconfig.json', '{ "other": true }'),
      () => clone.remove('kernel/dist/browser/executable.js'),
      () => clone.remove('.runtime'),
    ];
    expect(isBuilt(clone.root)).toBe(false);
    await build(clone.root);
    for (const change of changes) {
      expect(isBuilt(clone.root)).toBe(true);
      change();
      expect(isBuilt(clone.root)).toBe(false);
      await build(clone.root);
    }
  });

  it('that fails says what the compiler said, and leaves the build asked for', async () => {
    using clone = openFakeClone();
    clone.write('node_modules/typescript/bin/tsc', "console.log('kernel/src/a.ts(1,1): error TS1: no'); process.exit(2);");
    await expect(build(clone.root)).rejects.toMatchObject({
      name: 'SetupError',
      message: expect.stringContaining('error TS1: no'),
      advice: expect.stringContaining('compiler'),
    });
    expect(isBuilt(clone.root)).toBe(false);
  });
});
