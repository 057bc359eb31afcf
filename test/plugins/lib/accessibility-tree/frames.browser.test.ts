import { expect, describe as suite, it } from 'vitest';
import type { TargetSession } from '@platen/kernel';
import { captureTree } from '@platen/lib-accessibility-tree';
import { openSite } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { box, describe, flatten, HEAD, named, OPAQUE, openReader, splitByVisibility } from './trees.js';

const inner =
  '<!doctype html><title>Inner</title><body style="margin:0"><button id=b style="position:absolute;left:20px;top:30px;width:50px;height:20px">in frame</button>';
const frame = (src: string, css = '') => `<iframe title=frame src="${src}" style="${css}"></iframe>`;

suite('frames', () => {
  it('of the same and of other processes nest under [Iframe], with their URL', async () => {
    await using site = await openSite({
      '/': () => `<!doctype html><title>Outer</title>${frame('/inner')}${frame(site.url('/nest', 'localhost'))}<p>after`,
      '/nest': () => `<!doctype html><p>nest</p>${frame(site.url('/inner'))}`,
      '/inner': inner,
    });
    await using reader = openReader();
    const { tree } = await reader.read({ url: site.url('/') });
    expect(tree.title).toBe('Outer');
    expect(tree.url).toBe(site.url('/'));
    expect(describe(flatten(tree.root))).toEqual([
      'RootWebArea "Outer"',
      'Iframe "frame"',
      'button "in frame"',
      'Iframe "frame"',
      'paragraph',
      'StaticText "nest"',
      'Iframe "frame"',
      'button "in frame"',
      'paragraph',
      'StaticText "after"',
    ]);
    expect(flatten(tree.root).flatMap(({ role, url }) => (role === 'Iframe' ? [url] : []))).toEqual([
      site.url('/inner'),
      site.url('/nest', 'localhost'),
      site.url('/inner'),
    ]);
    expect(new Set(tree.frames.map(({ frameId }) => frameId)).size).toBe(4);
    expect(new Set(tree.frames.map(({ targetId }) => targetId)).size).toBe(3);
  });

  it.each(['object data', 'embed src'])('in an <%s> are frames too, and nothing to click', async (tag) => {
    await using site = await openSite({ '/': `<title>Outer</title><${tag}=/inner width=200 height=90><p>after`, '/inner': inner });
    await using reader = openReader();
    const nodes = flatten((await reader.read({ url: site.url('/') })).tree.root);
    const frames = nodes.filter(({ role }) => role === 'Iframe');
    expect(frames).toMatchObject([{ url: site.url('/inner'), children: [{ role: 'button', name: 'in frame' }] }]);
    expect(nodes.flatMap(({ cursor = [] }) => cursor)).toEqual([]);
  });

  it('give every node the frame and the target in which its DOM id holds', async () => {
    await using site = await openSite({ '/': () => frame(site.url('/inner', 'localhost')), '/inner': inner });
    const texts: string[] = [];
    await using reader = openReader({
      async meanwhile(page) {
        const { root, frames } = await captureTree(page);
        const button = named(flatten(root), 'in frame');
        const { targetId } = frames.find(({ frameId }) => frameId === button.frameId) ?? { targetId: '' };
        const target = page.targets.all.find((one) => one.targetId === targetId);
        const found = await target?.send('DOM.resolveNode', { backendNodeId: button.backendDOMNodeId ?? 0 });
        const called = await target?.send('Runtime.callFunctionOn', {
          objectId: found?.object.objectId ?? '',
          functionDeclaration: 'function () { return this.id + location.host; }',
          returnByValue: true,
        });
        texts.push(String(called?.result.value));
      },
    });
    await reader.read({ url: site.url('/') });
    expect(texts).toEqual([`blocalhost:${String(site.port)}`]);
  });

  it('of popups are not in the tree', async () => {
    await using site = await openSite({
      '/': () => `<p>page</p><script>open('/popup')</script>`,
      '/popup': () => `<p>popup</p>${frame(site.url('/inner', 'localhost'))}`,
      '/inner': inner,
    });
    const seen: (readonly string[])[] = [];
    await using reader = openReader({
      async meanwhile(page) {
        await until(() => page.targets.all.some(({ kind }) => kind === 'iframe'));
        seen.push(describe(flatten((await captureTree(page)).root)));
      },
    });
    await reader.read({ url: site.url('/') });
    expect(seen).toEqual([['RootWebArea', 'paragraph', 'StaticText "page"']]);
  });

  const LEAF = ['RootWebArea', 'paragraph', 'StaticText "page"', 'Iframe "frame"', 'paragraph', 'StaticText "after"'];

  it.each([
    ['hangs is a leaf once its time is up', (target: TargetSession) => target.send('Runtime.evaluate', { expression: 'for (;;);' })],
    ['dies in the middle is a leaf', (target: TargetSession) => target.send('Page.crash')],
  ])('one that %s', async (_, hurt) => {
    await using site = await openSite({ '/': () => `<p>page</p>${frame(site.url('/inner', 'localhost'))}<p>after`, '/inner': inner });
    await using reader = openReader({
      frameTimeoutMs: 300,
      meanwhile(page) {
        const target = page.targets.all.find(({ kind }) => kind === 'iframe');
        if (target === undefined) throw new Error('the frame has no process of its own');
        hurt(target).catch(() => undefined);
        return Promise.resolve();
      },
    });
    const { tree } = await reader.read({ url: site.url('/') });
    expect(describe(flatten(tree.root))).toEqual(LEAF);
    expect(tree.frames).toHaveLength(1);
  });

  it('that navigate and go while they are read fail nothing', async () => {
    await using site = await openSite({
      '/': () => `<p>page</p><div id=holder></div><script>
        let n = 0;
        setInterval(() => { holder.innerHTML = '<iframe src="' + (n % 2 ? '/inner' : '//localhost:${String(site.port)}/inner') + '?' + n++ + '"></iframe>'; }, 50);
      </script>`,
      '/inner': inner,
    });
    await using reader = openReader({
      async meanwhile(page) {
        await until(() => page.targets.all.some(({ kind }) => kind === 'iframe'));
        for (let round = 0; round < 10; round += 1) {
          const { root } = await captureTree(page, { frameTimeoutMs: 100 });
          expect(describe(flatten(root))).toContain('StaticText "page"');
        }
      },
    });
    await reader.read({ url: site.url('/') });
  });

  it('a page that navigates while it is read is read again', async () => {
    await using site = await openSite({ '/': '<title>First</title><p>first', '/second': '<title>Second</title><p>second' });
    await using reader = openReader({
      meanwhile: (page) =>
        page.evaluate(() => {
          if (location.pathname === '/') location.assign('/second');
        }),
    });
    const { tree } = await reader.read({ url: site.url('/') });
    expect(tree.title).toBe('Second');
    expect(describe(flatten(tree.root))).toContain(`StaticText "${tree.title.toLowerCase()}"`);
  });
});

suite('windows of frames', () => {
  it.each([
    ['of the same process', '127.0.0.1'],
    ['of another process', 'localhost'],
  ])('%s show nothing without an area, and nothing that they cannot be scrolled to', async (_, host) => {
    const page = (text: string, css = '') =>
      `<!doctype html><style>p{margin:0}${css}</style><p>${text}</p><div style="height:2000px;width:3000px"></div><p>${text} below</p><p style="position:absolute;top:0;left:2900px">${text} right</p>`;
    const frames = [
      ['none', 'width=0 height=0'],
      ['dot', 'width=1 height=1'],
      ['flat', 'width=300 height=1'],
      ['whole', 'width=300 height=100'],
      ['still', 'width=300 height=100 scrolling=No'],
      ['fixed', 'width=300 height=100', 'body{overflow:hidden}'],
      ['sideways', 'width=300 height=100', 'html{overflow:auto hidden}'],
    ] as const;
    const owners = () =>
      frames.map(([name, attributes]) => `<iframe src="${site.url(`/${name}`, host)}" frameborder=0 ${attributes}></iframe>`);
    await using site = await openSite({
      '/': () => `<!doctype html>${owners().join('<br>')}`,
      ...Object.fromEntries(frames.map(([name, , css]) => [`/${name}`, page(name, css)])),
    });
    await using reader = openReader();
    const { tree } = await reader.read({ url: site.url('/') });
    const texts = flatten(tree.root).filter(({ role }) => role === 'StaticText');
    const seen = texts.filter(({ visible }) => visible).map(({ name }) => name);
    expect([...seen].sort()).toEqual(['fixed', 'sideways', 'sideways right', 'still', 'whole', 'whole below', 'whole right']);
    expect(texts).toHaveLength(3 * frames.length);
  });

  it.each([
    ['of the same process', '127.0.0.1'],
    ['of another process', 'localhost'],
  ])('%s are clipped by their window, covered from above, hidden with their element', async (_, host) => {
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
    await using reader = openReader();
    const { tree } = await reader.read({ url: site.url('/') });
    const { seen, unseen } = splitByVisibility(flatten(tree.root));
    expect(new Set(seen)).toEqual(new Set(['a', 'a below', 'over d', 'over c', 'e']));
    expect(new Set(unseen)).toEqual(new Set(['a off', 'b', 'b below', 'b off', 'c', 'c below', 'c off', 'd', 'under e']));
  });
});
