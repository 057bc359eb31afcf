import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findState } from '../../../server/src/cli/render-state.js';

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-state-'));
  const options = { target: join(folder, 'site.wacz'), name: 'site.wacz', url: 'https://a.test/', outputType: 'wacz', restart: false };
  return { folder, options, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** An earlier process that was interrupted. */
async function interrupt(options: Parameters<typeof findState>[0]): Promise<void> {
  const { folder, file } = await (await findState(options)).open();
  await writeFile(file, 'archive');
  await writeFile(join(folder, 'own'), '');
}

describe('the state of a render', () => {
  it('is beside its output, and removed when that is complete', async () => {
    await using place = await openFolder();
    const state = await findState(place.options);
    expect(await state.describe()).toBeUndefined();
    expect(await state.open()).toEqual({ folder: `${place.options.target}.state`, file: `${place.options.target}.part` });
    expect(await state.describe()).toBeUndefined();
    await writeFile(`${place.options.target}.part`, 'archive');
    expect(state.folder).toBe(`${place.options.target}.state`);
    expect(await state.describe()).toBe('site.wacz.part keeps what is complete: the same command goes on, with --restart it begins anew');
    await state.remove();
    expect(await readdir(place.folder)).toEqual([]);
  });

  it('is found again by the same command', async () => {
    await using place = await openFolder();
    await interrupt(place.options);
    const { folder } = await (await findState(place.options)).open();
    expect((await readdir(folder)).sort()).toEqual(['own', 'render.json']);
  });

  it('has nothing of what a killed process was writing', async () => {
    await using place = await openFolder();
    await interrupt(place.options);
    await writeFile(join(`${place.options.target}.state`, '.platen-1.part'), '');
    const { folder } = await (await findState(place.options)).open();
    expect((await readdir(folder)).sort()).toEqual(['own', 'render.json']);
  });

  it.each([
    ['whose mark was not complete', 'render.json.new', '', undefined],
    ['that something else has marked', 'render.json', 'null', 'site.wacz.state is not the state of a render'],
  ])('%s', async (_what, name, content, error) => {
    await using place = await openFolder();
    await mkdir(`${place.options.target}.state`);
    await writeFile(join(`${place.options.target}.state`, name), content);
    const opening = findState(place.options).then((state) => state.open());
    if (error === undefined) expect((await opening).file).toBe(`${place.options.target}.part`);
    else await expect(opening).rejects.toThrow(error);
  });

  it('of an earlier run stays if this render keeps none', async () => {
    await using place = await openFolder();
    await interrupt(place.options);
    await (await findState(place.options)).remove();
    expect((await readdir(place.folder)).sort()).toEqual(['site.wacz.part', 'site.wacz.state']);
  });

  it('begins anew with --restart', async () => {
    await using place = await openFolder();
    await interrupt(place.options);
    await findState({ ...place.options, url: 'https://b.test/', restart: true });
    expect(await readdir(place.folder)).toEqual([]);
  });

  it.each([
    ['another URL', { url: 'https://b.test/' }],
    ['another output type', { outputType: 'warc' }],
  ])('of %s is refused', async (_what, other) => {
    await using place = await openFolder();
    await interrupt(place.options);
    await expect(findState({ ...place.options, ...other })).rejects.toMatchObject({
      message: 'site.wacz.state holds an interrupted render of https://a.test/',
      hint: '--restart removes it and begins anew',
    });
  });

  it.each([false, true])('never replaces or removes what something else has made (restart: %s)', async (restart) => {
    await using place = await openFolder();
    await writeFile(`${place.options.target}.part`, 'mine');
    await expect((await findState({ ...place.options, restart })).open()).rejects.toThrow('site.wacz.part exists already');
    await mkdir(`${place.options.target}.state`);
    await writeFile(join(`${place.options.target}.state`, 'mine'), '');
    await expect(findState({ ...place.options, restart })).rejects.toThrow('site.wacz.state is not the state of a render');
    expect((await readdir(place.folder)).sort()).toEqual(['site.wacz.part', 'site.wacz.state']);
  });
});
