#!/usr/bin/env node
// This file is in git, unlike the build output: npm links a program only if it exists during installation.

import { readdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '../..');
const bundle = join(root, 'bundle');

/** Milliseconds since 1970; 0 if there is no such file. */
const changedAt = (...path) => statSync(join(...path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether no package was compiled after the bundle was made. */
function isCurrent() {
  const madeAt = changedAt(bundle, 'modules.json');
  if (madeAt === 0) return false;
  const folders = readdirSync(join(root, 'plugins')).flatMap((family) => {
    return readdirSync(join(root, 'plugins', family)).map((name) => join(root, 'plugins', family, name));
  });
  return [join(root, 'schema'), join(root, 'kernel'), join(root, 'server'), ...folders].every(
    (folder) => changedAt(folder, 'dist', '.tsbuildinfo') <= madeAt,
  );
}

if (isCurrent()) {
  // Node 22.8 and later. Node's default is in the shared temporary folder, where other users could put code.
  module.enableCompileCache?.(join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'platen', 'code'));
  await import(pathToFileURL(join(bundle, 'dist/cli.mjs')).href);
} else await import('../dist/cli.js');
