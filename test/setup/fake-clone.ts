import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync, cpSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface FakeClone extends Disposable {
  readonly root: string;
  write(path: string, text: string, mode?: number): void;
  remove(path: string): void;
}

/** A folder that the setup takes for a clone in which nothing is missing: one workspace, one package, a "browser" that is a script. */
export function openFakeClone(): FakeClone {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'platen-clone-')));
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode });
    chmodSync(join(root, path), mode);
  };
  cpSync(new URL('../../server/setup', import.meta.url).pathname, join(root, 'server/setup'), { recursive: true });
  const packages = { 'node_modules/left': { version: '1.0.0', integrity: 'sha512-left' } };
  write('package-lock.json', JSON.stringify({ packages: { '': {}, ...packages } }));
  write('node_modules/.package-lock.json', JSON.stringify({ packages }));
  write('node_modules/left/package.json', '{}');
  write('node_modules/left/index.js', '');
  // A compiler that writes what the build is expected to write.
  write(
    'node_modules/@typescript/native/bin/tsc',
    "const { cpSync, mkdirSync } = require('node:fs'); mkdirSync('kernel/dist/browser/process', { recursive: true });" +
      "cpSync('kernel/src/browser/process/executable.ts', 'kernel/dist/browser/process/executable.js');",
  );
  write('tsconfig.json', JSON.stringify({ references: [{ path: 'kernel' }] }));
  write('.config/tsconfig.json', '{}');
  write('.config/bundle-in-page.mjs', '');
  write(
    'server/dist/trim/build-bundle.js',
    "import { mkdirSync, writeFileSync } from 'node:fs'; mkdirSync('bundle', { recursive: true }); writeFileSync('bundle/current', 'a');",
  );
  write('server/package.json', '{"type":"module"}');
  write('kernel/tsconfig.json', '{}');
  write('kernel/package.json', '{"type":"module"}');
  write('kernel/src/browser/process/executable.ts', EXECUTABLE);
  write('plugins/output/png/package.json', '{}');
  write('browser', '#!/bin/sh\necho 1.2.3.4\n', 0o755);
  return {
    root,
    write,
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Stands for the kernel's lookup: the browser is the file named `browser` in the clone. */
const EXECUTABLE = `
import { existsSync } from 'node:fs';
import { join } from 'node:path';
export async function findBrowsers({ installation, env }) {
  const path = env.PUPPETEER_EXECUTABLE_PATH || join(installation, 'browser');
  return existsSync(path) ? { shell: { path, source: 'system', variant: 'shell' } } : {};
}
export const browserFor = (found) => found.shell;
export const readVersion = async () => '1.2.3.4';
`;
