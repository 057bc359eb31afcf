#!/usr/bin/env node
// This file is in git, unlike the build output: npm links a program only if it exists during installation.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { keepCompiledCode } from './keep-compiled-code.mjs';

const root = join(import.meta.dirname, '../..');

/** The command line in the bundle, unless something was built or installed after it; undefined: what the compiler has built is run. */
function findBundle() {
  const pointer = join(root, 'bundle/current');
  const { mtimeMs: madeAt } = statSync(pointer);
  const { references } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const sources = references.flatMap(({ path }) => [`${path}/package.json`, `${path}/dist/.tsbuildinfo`]);
  const isOlder = (path) => (statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) <= madeAt;
  if (!['tsconfig.json', 'package-lock.json', 'node_modules/.package-lock.json', ...sources].every(isOlder)) return undefined;
  return join(root, 'bundle', readFileSync(pointer, 'utf8'), 'cli.mjs');
}

/** What only makes a start faster may fail. */
function attempt(run) {
  try {
    return run();
  } catch {
    return undefined;
  }
}

const bundled = attempt(findBundle);
if (bundled === undefined) await import('../dist/cli.js');
else {
  keepCompiledCode();
  await import(pathToFileURL(bundled).href);
}
