import { describe, expect, it } from 'vitest';
import { findPackageDrift } from '../../server/setup/packages.mjs';
import { openFakeClone, type FakeClone } from './fake-clone.js';

const RIGHT = { version: '1.0.0', integrity: 'sha512-left' };

function installed(clone: FakeClone, packages: object) {
  clone.write('node_modules/.package-lock.json', JSON.stringify({ packages }));
}

describe('node_modules against the lockfile', () => {
  it('agrees where npm’s record, the lockfile and the folders agree', () => {
    using clone = openFakeClone();
    expect(findPackageDrift(clone.root)).toBeUndefined();
  });

  it.each([
    ['another version', { 'node_modules/left': { ...RIGHT, version: '0.9.0' } }, 'left does not have the version'],
    ['another content', { 'node_modules/left': { ...RIGHT, integrity: 'sha512-x' } }, 'left does not have the version'],
    ['a package too few', {}, 'left is not installed'],
    ['a package too many', { 'node_modules/left': RIGHT, 'node_modules/right': RIGHT }, 'right is not in the lockfile'],
  ])('differs with %s', (_, packages, text) => {
    using clone = openFakeClone();
    installed(clone, packages);
    expect(findPackageDrift(clone.root)).toContain(text);
  });

  it('differs where a folder is gone, whatever the record says', () => {
    using clone = openFakeClone();
    clone.remove('node_modules/left');
    expect(findPackageDrift(clone.root)).toBe('node_modules/left is missing');
  });

  it('differs where a folder was emptied in part', () => {
    using clone = openFakeClone();
    clone.remove('node_modules/left/package.json');
    expect(findPackageDrift(clone.root)).toBe('node_modules/left is missing');
  });

  it('differs where node_modules came from another platform', () => {
    using clone = openFakeClone();
    const foreign = { ...RIGHT, os: [process.platform === 'darwin' ? 'linux' : 'darwin'], optional: true };
    clone.write('package-lock.json', JSON.stringify({ packages: { 'node_modules/left': foreign } }));
    installed(clone, { 'node_modules/left': foreign });
    expect(findPackageDrift(clone.root)).toBe('node_modules/left is missing');
  });

  it('forgives an optional package that this platform has no use for', () => {
    using clone = openFakeClone();
    const packages = { 'node_modules/left': RIGHT };
    clone.write('package-lock.json', JSON.stringify({ packages: { ...packages, 'node_modules/other': { ...RIGHT, optional: true } } }));
    expect(findPackageDrift(clone.root)).toBeUndefined();
  });

  it('says that there is no node_modules', () => {
    using clone = openFakeClone();
    clone.remove('node_modules');
    expect(findPackageDrift(clone.root)).toBe('node_modules is missing');
  });
});
