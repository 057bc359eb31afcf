import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import axtree from '@platen/plugin-axtree';
import tree from '@platen/plugin-accessibility';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';

const BEHIND = `<h1>behind</h1><a href="/x">link behind</a><div onclick="1">press behind</div><p style="cursor:pointer">point behind</p>
  <label for=c>label behind</label><input id=c type=checkbox style="display:none"><iframe srcdoc="<button>framed behind</button>"></iframe>`;

/** Names in the order of the tree, visible or not: behind is what must not be there. */
const HELD = {
  '/modal': ['front', 'head', 'press', 'framed', 'apart', 'unseen'],
  '/inert': ['front'],
  '/two': ['second'],
  '/closed': ['text'],
  '/framed': ['page', 'inner'],
};

let site: Site;
let host: TestKernel;
beforeAll(async () => {
  site = await openSite({
    '/apart': '<button>apart behind</button><div onclick="1">press apart behind</div>',
    '/in-front': '<button>apart</button>',
    '/modal': () =>
      `${BEHIND}<iframe src="${site.url('/apart', 'localhost')}"></iframe>
      <dialog id=d aria-label=front><h2>head</h2><div onclick="1">press</div><iframe srcdoc="<button>framed</button>"></iframe>
      <iframe src="${site.url('/in-front', 'localhost')}"></iframe><p style="opacity:0">unseen</p></dialog>
      <script>d.showModal()</script>`,
    '/inert': () => `<div inert>${BEHIND}<iframe src="${site.url('/apart', 'localhost')}"></iframe></div><button>front</button>`,
    '/two': `<p>behind</p><dialog id=a>first behind</dialog><dialog id=b>second</dialog><script>a.showModal();b.showModal()</script>`,
    '/closed': `<p>text</p><dialog id=a>gone</dialog><script>a.showModal();a.close()</script>`,
    '/framed': () =>
      `<button>page</button><iframe srcdoc="<p>behind</p><dialog id=d>inner</dialog><script>d.showModal()</script>"></iframe>`,
  });
  host = createTestKernel({ plugins: [tree, axtree] });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const NAME = { axtree: /^ *@e\d+ \[[^\]]+\] "([^"]*)"/gm, axtree_json: /"name":"([^"]+)"/g } as const;

describe.each(['axtree', 'axtree_json'] as const)(
  '%s of a page with an open modal dialog, or an inert part, holds what can be reached',
  (output_type) => {
    it.each(Object.entries(HELD))('%s', async (path, names) => {
      const read = async (params: object) => {
        const body = await (await host.render({ url: site.url(path), output_type, ...params })).bytes();
        return [...body.toString().matchAll(NAME[output_type])].map(([, name]) => name);
      };
      expect(await read({})).toEqual(names);
      expect(await read({ axtree_only_visible: true })).toEqual(names.filter((name) => name !== 'unseen'));
    });
  },
);
