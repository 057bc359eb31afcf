import { withFlatTree } from '@platen/lib-page-functions';
import type { Page } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../../../kernel/browser/open-pool.js';

/** Elements are named by their ids. A template that is the first child of its parent is its shadow tree. */
const shadow = (content: string, mode = 'open') => `<template shadowrootmode="${mode}">${content}</template>`;

const read = withFlatTree((tree) => {
  const names = (nodes: readonly Node[]) =>
    nodes.flatMap((node) => (tree.isElement(node) ? [node.getAttribute('id') ?? ''] : tree.isText(node) ? [node.data.trim()] : []));
  const inside = tree.elements(document.body);
  return {
    elements: names(inside).join(' '),
    trees: tree.trees(document).length,
    ancestors: names(tree.ancestors(inside.find(({ id }) => id === 'it') ?? document.body)).join(' '),
    children: names(tree.children(inside.find((element) => element.getAttribute('id') === 'of') ?? document.body)).join(' '),
  };
});

/** From another document's window, which has classes of its own. */
const readFrame = withFlatTree((tree) => {
  const inner = document.querySelector('iframe')?.contentDocument;
  return inner && tree.elements(inner.body).map((element) => [element.id, tree.above(element)?.id]);
});

describe('the flat tree', () => {
  const pool = openPool();
  let lease: Awaited<ReturnType<typeof pool.lease>>;
  let page: Page;
  beforeAll(async () => {
    lease = await pool.lease({});
    ({
      tab: { page },
    } = lease);
  });
  afterAll(async () => {
    await lease[Symbol.asyncDispose]();
    await pool[Symbol.asyncDispose]();
  });
  const open = async (body: string) => {
    await page.goto(`data:text/html,${encodeURIComponent(`<!doctype html><html id=html><body id=body>${body}`)}`);
    await page.lifecycle.reached('load');
  };

  it.each([
    {
      name: 'is the tree itself without shadow trees',
      body: '<p id=of>one<b id=it>two</b></p>',
      read: { elements: 'of it', trees: 1, ancestors: 'of body html', children: 'one it' },
    },
    {
      name: 'has a shadow tree between a host and its children',
      body: `<p id=of>${shadow('<i id=in><slot id=slot></slot></i>')}<b id=it>two</b></p><s id=next></s>`,
      read: { elements: 'of in slot it next', trees: 2, ancestors: 'slot in of body html', children: 'in' },
    },
    {
      name: 'has nested trees',
      body: `<p id=of>${shadow(`<span id=in>${shadow('<u id=it></u>')}</span>`)}</p>`,
      read: { elements: 'of in it', trees: 3, ancestors: 'in of body html', children: 'in' },
    },
    {
      name: 'has the fallback of a slot without nodes',
      body: `<p id=host>${shadow('<slot id=of>none<u id=it></u></slot>')}</p>`,
      read: { elements: 'host of it', trees: 2, ancestors: 'of host body html', children: 'none it' },
    },
    {
      name: 'has the nodes of a slot instead of its fallback',
      body: `<p id=host>${shadow('<slot id=of>none</slot>')}<b id=it></b></p>`,
      read: { elements: 'host of it', trees: 2, ancestors: 'of host body html', children: 'it' },
    },
    {
      name: 'does not show a closed shadow tree',
      body: `<p id=of>${shadow('<i id=in><slot></slot></i>', 'closed')}<b id=it></b></p>`,
      read: { elements: 'of it', trees: 1, ancestors: 'of body html', children: 'it' },
    },
    {
      name: 'is read past the fields of a form',
      body: '<form id=of><input id=it name=parentNode><input name=assignedSlot><fieldset name=shadowRoot><input id=f></fieldset><input name=nodeType><input name=firstChild></form>',
      read: { elements: 'of it   f  ', trees: 1, ancestors: 'of body html', children: 'it    ' },
    },
    {
      name: 'is read past the named elements of a document',
      body: '<img id=it name=nodeType><img name=parentNode><p id=of></p>',
      read: { elements: 'it  of', trees: 1, ancestors: 'body html', children: '' },
    },
  ])('$name', async ({ body, read: expected }) => {
    await open(body);
    expect(await page.evaluate(read)).toEqual(expected);
  });

  it('is read in the document of a frame', async () => {
    await open(
      `<iframe srcdoc="${`<body id=b><p id=p>${shadow('<slot id=slot></slot>')}<u id=u></u></p>`.replaceAll('"', "'")}"></iframe>`,
    );
    expect(await page.evaluate(readFrame)).toEqual([
      ['p', 'b'],
      ['slot', 'p'],
      ['u', 'slot'],
    ]);
  });
});
