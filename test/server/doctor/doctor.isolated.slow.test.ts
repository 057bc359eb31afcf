import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { installedCatalog } from '../../../server/src/boot/catalog.js';
import { runDoctor } from '../../../server/src/doctor/index.js';
import type { DoctorReport } from '../../../server/src/doctor/report.js';

async function run(...args: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = text(stdout);
  stderr.resume();
  const code = await runDoctor(args, { stdout, stderr, environment: {}, cwd: process.cwd() }, installedCatalog);
  stdout.end();
  return { code, printed: await printed };
}

describe('platen doctor', () => {
  it('renders, and says that every enabled output type is ready', async () => {
    const { code, printed } = await run('--json');
    const report: DoctorReport = JSON.parse(printed);
    expect(code).toBe(0);
    expect(report.ready).toBe(true);
    const render = report.findings.find(({ id }) => id === 'render');
    expect(render).toMatchObject({ state: 'ok', facts: { sandbox: true } });
    expect(report.outputs).toContainEqual({ type: 'png', plugin: 'png', state: 'ready' });
    for (const id of [
      ...['host', 'shared_memory', 'temporary_folder', 'timezones', 'headless_shell', 'full_chromium', 'fonts', 'libvips', 'ffmpeg'],
      ...['jpeg_xl_encoder'],
    ]) {
      expect(report.findings.map((finding) => finding.id)).toContain(id);
    }
  });

  it('names what would help where there is no browser, and fails', async () => {
    const { code, printed } = await run('--browser-path', '/nowhere/chrome');
    expect(code).toBe(5);
    expect(printed).toMatch(/^ {2}browser +MISSING +\/nowhere\/chrome is not an executable file\n +-> correct --browser-path, or omit it/m);
    expect(printed).toMatch(/^ {2}apng +MISSING +browser: .*\n +-> .*\n {2}avif +MISSING +the same\n/m);
    expect(printed).toContain('Platen cannot render');
  });

  it('examines what flags name also where there is no browser, as on the front of a cluster', async () => {
    const flags = ['--cluster-role', 'front', '--cluster-queue', 'redis://127.0.0.1:1'];
    const { printed } = await run('--json', '--browser-path', '/nowhere/chrome', ...flags);
    const { findings }: DoctorReport = JSON.parse(printed);
    expect(findings.find(({ facts }) => facts['flag'] === 'cluster-queue')).toMatchObject({ state: 'missing' });
  });

  it('looks for certutil where private certificate authorities are named', async () => {
    const { printed } = await run('--json', '--browser-ca-file', '/nowhere/ca.pem');
    const { ready, findings }: DoctorReport = JSON.parse(printed);
    expect(ready).toBe(false);
    expect(findings.find(({ id }) => id === 'certutil')).toMatchObject({ state: 'ok' });
    expect(findings.find(({ id }) => id === 'render')).toMatchObject({
      state: 'missing',
      text: expect.stringContaining('--browser-ca-file "/nowhere/ca.pem": there is no such file') as string,
    });
  });

  it('says what is wrong with a browser that does not start', async () => {
    const { code, printed } = await run('--json', '--browser-path', '/bin/true');
    const { findings }: DoctorReport = JSON.parse(printed);
    expect(code).toBe(5);
    expect(findings.find(({ id }) => id === 'full_chromium')).toMatchObject({ state: 'missing', text: '/bin/true (flag) does not start' });
  });

  it('looks for ffmpeg where it would be looked for, and says what there is without it', async () => {
    const { code, printed } = await run('--json', '--ffmpeg-path', '/nowhere/ffmpeg');
    const { findings, outputs }: DoctorReport = JSON.parse(printed);
    expect(code).toBe(0);
    expect(findings.find(({ id }) => id === 'ffmpeg')).toMatchObject({
      state: 'remark',
      fix: expect.stringMatching(/^correct --ffmpeg-path/) as unknown,
    });
    const state = (wanted: string) => outputs.find(({ type }) => type === wanted)?.state;
    expect(['gif', 'apng', 'webm', 'mkv', 'mp4'].map(state)).toEqual(Array(5).fill('missing'));
    expect(['avif', 'webp'].map(state)).toEqual(['reduced', 'reduced']);
    expect(state('png')).toBe('ready');
  });

  it('says nothing of what none of the enabled plugins would use', async () => {
    const { findings }: DoctorReport = JSON.parse((await run('--json', '--plugins', 'png')).printed);
    const ids = findings.map(({ id }) => id);
    expect(ids).toContain('render');
    for (const id of ['libvips', 'ffmpeg', 'jpeg_xl_encoder']) expect(ids).not.toContain(id);
  });

  it('repeats the last words of a browser that starts no page', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    try {
      // Where Platen is started by root, the browser runs as another user.
      await chmod(folder, 0o755);
      const browser = join(folder, 'browser');
      await writeFile(browser, '#!/bin/sh\n[ "$1" = --version ] && echo "Chromium 140.0.0.0" && exit\necho "no room left" >&2\nexit 1\n');
      await chmod(browser, 0o755);
      const { code, printed } = await run('--browser-path', browser);
      expect(code).toBe(5);
      expect(printed).toMatch(/^ {2}render +MISSING +the browser does not start: no room left$/m);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('looks at the host all the same where the plugins keep Platen from starting', async () => {
    const { code, printed } = await run('--plugins', 'no-such-plugin');
    expect(code).toBe(5);
    expect(printed).toMatch(/^ {2}start +MISSING .*no-such-plugin/m);
    expect(printed).toMatch(/^ {2}host +ok +Node /m);
  });

  it('refuses a flag that it does not know', async () => {
    await expect(run('--no-such-flag')).rejects.toThrow(/no-such-flag/);
  });
});
