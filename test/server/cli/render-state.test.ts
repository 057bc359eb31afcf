import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateOf } from '../../../server/src/cli/render-state.js';

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-state-'));
  const options = { target: join(folder, 'site.wacz'), name: 'site.wacz', url: 'https://a.test/', outputType: 'wacz', restart: false };
  return { folder, options, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

const unused = () => Promise.resolve();

/** An earlier process that was interrupted. */
async function interrupt(options: Parameters<typeof stateOf>[0]): Promise<void> {
  const { folder, file } = await stateOf(options).open(unused);
  await writeFile(file, 'archive');
  await writeFile(join(folder, 'own'), '');
}

describe('the state of a render', () => {
  it('is beside its output, and removed when that is complete', async () => {
    await using place = await openFolder();
    const state = stateOf(place.options);
    expect(await state.describe()).toBeUndefined();
    expect(await state.open(unused)).toEqual({ folder: `${place.options.target}.state`, file: `${place.options.target}.part` });
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
    const { folder } = await stateOf(place.options).open(unused);
    expect((await readdir(folder)).sort()).toEqual(['own', 'render.json']);
  });

  it('has nothing of what a killed process was writing', async () => {
    await using place = await openFolder();
    await interrupt(place.options);
    await writeFile(join(`${place.options.target}.state`, '.platen-1.part'), '');
    const { folder } = await stateOf(place.options).open(unused);
    expect((await readdir(folder)).sort()).toEqual(['own', 'render.json']);
  });

  it.each([
    ['whose mark was not complete', 'render.json.new', '', undefined],
    ['that something else has marked', 'render.json', 'null', 'site.wacz.state is not the state of a render'],
  ])('%s', async (_what, name, content, error) => {
    await using place = await openFolder();
    await mkdir(`${place.options.target}.state`);
    await writeFile(join(`${place.options.target}.state`, name), content);
    const opening = stateOf(place.options).open(unused);
    if (error === undefined) expect((await opening).file).toBe(`${place.options.target}.part`);
    else await expect(opening).rejects.toThrow(error);
  });

  it('of an earlier run stays if this render keeps none', async () => {
    await using place = await openFolder();
    await interrupt(place.options);
    const state = stateOf({ ...place.options, url: 'https://b.test/' });
    await state.remove();
    expect(await state.describe()).toBe(
      'site.wacz.part keeps an unfinished crawl of https://a.test/: its command goes on and replaces site.wacz, with --restart it begins anew',
    );
    expect((await readdir(place.folder)).sort()).toEqual(['site.wacz.part', 'site.wacz.state']);
  });

  it('begins anew with --restart', async () => {
    await using place = await openFolder();
    await interrupt(place.options);
    const { folder, file } = await stateOf({ ...place.options, url: 'https://b.test/', restart: true }).open(unused);
    expect(await readdir(place.folder)).toEqual(['site.wacz.state']);
    expect(await readdir(folder)).toEqual(['render.json']);
    await writeFile(file, '');
    await expect(stateOf({ ...place.options, url: 'https://b.test/' }).open(unused)).resolves.toEqual({ folder, file });
  });

  it.each([
    ['another URL', { url: 'https://b.test/' }],
    ['another output type', { outputType: 'warc' }],
  ])('of %s is refused', async (_what, other) => {
    await using place = await openFolder();
    await interrupt(place.options);
    const state = stateOf({ ...place.options, ...other });
    await expect(state.open(unused)).rejects.toMatchObject({
      message: 'site.wacz.state holds an interrupted render of https://a.test/',
      hint: '--restart removes it and begins anew',
    });
    expect(await state.describe()).toBeUndefined();
  });

  it.each([false, true])('that a process uses is neither changed nor removed (restart: %s)', async (restart) => {
    await using place = await openFolder();
    await interrupt(place.options);
    await writeFile(join(`${place.options.target}.state`, '.platen-1.part'), '');
    const used = () => Promise.reject(new Error('in use'));
    const state = stateOf({ ...place.options, restart });
    await expect(state.open(used)).rejects.toThrow('in use');
    expect(await state.describe()).toBeUndefined();
    await state.remove();
    expect((await readdir(place.folder)).sort()).toEqual(['site.wacz.part', 'site.wacz.state']);
    expect((await readdir(`${place.options.target}.state`)).sort()).toEqual(['.platen-1.part', 'own', 'render.json']);
  });

  it.each([false, true])('never replaces or removes what something else has made (restart: %s)', async (restart) => {
    await using place = await openFolder();
    await writeFile(`${place.options.target}.part`, 'mine');
    await expect(stateOf({ ...place.options, restart }).open(unused)).rejects.toThrow('site.wacz.part exists already');
    await mkdir(`${place.options.target}.state`);
    await writeFile(join(`${place.options.target}.state`, 'mine'), '');
    await expect(stateOf({ ...place.options, restart }).open(unused)).rejects.toThrow('site.wacz.state is not the state of a render');
    expect((await readdir(place.folder)).sort()).toEqual(['site.wacz.part', 'site.wacz.state']);
  });
});
