import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAsked } from '../../../server/src/boot/read-asked.js';

describe('what a package asks for', () => {
  it('is also what the Platen packages that it is built on ask for', async () => {
    const root = mkdtempSync(join(tmpdir(), 'platen-doctor-'));
    try {
      const write = (path: string, manifest: object) => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), JSON.stringify(manifest));
      };
      write('plugin/package.json', { dependencies: { '@platen/lib-film': '1', koa: '3' }, peerDependencies: { '@platen/kernel': '1' } });
      write('plugin/node_modules/@platen/lib-film/package.json', { dependencies: { 'fluent-ffmpeg': '2', '@platen/lib-film': '1' } });
      const names = await readAsked(join(root, 'plugin'));
      expect([...names.keys()]).toEqual(['@platen/lib-film', 'fluent-ffmpeg', 'koa', '@platen/kernel']);
      expect(names.get('fluent-ffmpeg')).toBe(join(root, 'plugin/node_modules/@platen/lib-film'));
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
