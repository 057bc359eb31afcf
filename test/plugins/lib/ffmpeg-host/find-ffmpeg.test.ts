import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createFfmpegSource, findFfmpeg } from '@platen/lib-ffmpeg-host';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function program(path: string, script = 'exit 0', mode = 0o755): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, mode);
  return file;
}

it('is the named one, else the first in PATH, else the one that came by npm', async () => {
  const named = await program('named/my-ffmpeg');
  const npm = await program('.runtime/ffmpeg/ffmpeg');
  const env = { PATH: [join(folder, 'a'), join(folder, 'b'), join(folder, 'c')].join(delimiter) };
  expect(await findFfmpeg({ installation: folder, env })).toBe(npm);
  const third = await program('c/ffmpeg');
  expect(await findFfmpeg({ installation: folder, env })).toBe(third);
  await program('a/ffmpeg', 'exit 0', 0o644);
  const second = await program('b/ffmpeg');
  expect(await findFfmpeg({ installation: folder, env })).toBe(second);
  expect(await findFfmpeg({ path: named, installation: folder, env })).toBe(named);
});

it('looks for nothing else where one is named', async () => {
  const env = { PATH: dirname(await program('a/ffmpeg')) };
  expect(await findFfmpeg({ path: join(folder, 'nowhere'), installation: folder, env })).toBeUndefined();
  expect(await findFfmpeg({ path: folder, installation: folder, env })).toBeUndefined();
});

it('says what to install where there is none, and finds it once it is there', async () => {
  const source = createFfmpegSource({ installation: folder, env: { PATH: join(folder, 'a') } });
  await expect(source()).rejects.toMatchObject({ code: 'feature_unavailable', status: 501 });
  await expect(source()).rejects.toThrow(/needs ffmpeg, and it is not in PATH: .*apt-get install ffmpeg/);
  await program('a/ffmpeg', "echo 'ffmpeg version 9.1-test Copyright'");
  await expect(source()).resolves.toMatchObject({ version: '9.1-test' });
});

it('names the flag, and not the path, where that names no program', async () => {
  const source = createFfmpegSource({ path: join(folder, 'nowhere') });
  await expect(source()).rejects.toThrow(/--ffmpeg-path does not name a program: correct --ffmpeg-path/);
  await expect(source()).rejects.not.toThrow(folder);
});

it('says so where the program does not run', async () => {
  const source = createFfmpegSource({ path: await program('broken', 'exit 3') });
  await expect(source()).rejects.toMatchObject({ code: 'feature_unavailable' });
  await expect(source()).rejects.toThrow('does not run');
});

it('says so where the program that the flag names is no ffmpeg', async () => {
  const source = createFfmpegSource({ path: await program('other', 'exit 0') });
  await expect(source()).rejects.toThrow(/--ffmpeg-path does not run as ffmpeg: correct --ffmpeg-path/);
});

it('reads what the host has from its own tables', async () => {
  const { version, encoders, muxers } = await createFfmpegSource()();
  expect(version).toMatch(/^\S+$/);
  expect([...encoders]).toEqual(expect.arrayContaining(['libx264', 'libvpx-vp9', 'gif', 'apng', 'libwebp_anim']));
  expect([...muxers]).toEqual(expect.arrayContaining(['mp4', 'matroska', 'webm', 'gif', 'apng', 'webp']));
  expect(encoders.has('V..... = Video')).toBe(false);
  expect(muxers.has('=')).toBe(false);
});
