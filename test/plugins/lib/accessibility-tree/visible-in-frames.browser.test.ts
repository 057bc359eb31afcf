import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { box, flatten, HEAD, OPAQUE, openReader, splitBySight, type TreeReader } from './trees.js';

let reader: TreeReader;
beforeAll(() => {
  reader = openReader();
});
afterAll(() => reader[Symbol.asyncDispose]());

describe('only what a person can see', () => {
  it.each([
    ['of the same process', '127.0.0.1'],
    ['of another process', 'localhost'],
  ])('in frames %s: cut by their window, covered from above, hidden with their element', async (_, host) => {
    const inside = (text: string) =>
      `<!doctype html>${HEAD}<p>${text}</p><div style="height:2000px"></div><p>${text} below</p><p style="position:absolute;left:-999px">${text} off</p>`;
    const frame = (path: string, css: string) =>
      `<iframe src="${site.url(path, host)}" style="position:absolute;width:200px;height:100px;border:0;${css}"></iframe>`;
    await using site = await openSite({
      '/': () =>
        `<!doctype html>${HEAD}${frame('/a', 'top:0;left:0')}${frame('/b', 'top:0;left:300px;opacity:0')}${frame('/c', 'top:0;left:600px')}
        ${frame('/d', 'top:200px;left:0')}${box(`position:absolute;top:0;left:600px;width:200px;height:100px;${OPAQUE}`, 'over c')}
        ${box('position:absolute;top:300px;left:0;width:200px;height:30px', 'under e')}${frame('/e', 'top:300px;left:0')}`,
      '/a': inside('a'),
      '/b': inside('b'),
      '/c': inside('c'),
      '/d': `<!doctype html>${HEAD}<p>d</p>${box(`position:fixed;inset:0;${OPAQUE}`, 'over d')}`,
      '/e': `<!doctype html>${HEAD}<body style="${OPAQUE}"><p>e</p>`,
    });
    const { tree } = await reader.read({ url: site.url('/') });
    const { seen, unseen } = splitBySight(flatten(tree.root));
    expect(new Set(seen)).toEqual(new Set(['a', 'a below', 'over d', 'over c', 'e']));
    expect(new Set(unseen)).toEqual(new Set(['a off', 'b', 'b below', 'b off', 'c', 'c below', 'c off', 'd', 'under e']));
  });
});
