import { writeFile } from 'node:fs/promises';
import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { expect, it } from 'vitest';
import wacz from '../../../../plugins/output/wacz/src/index.js';
import { openCheckedFile } from '../../../helpers/checkers.js';
import { openOfflineReplay } from '../../../helpers/offline-replay.js';
import { listMembers, parseCdx, readMember } from '../../../helpers/wacz-file.js';
import { after, fakeExchange, fakePage, fakeSite, fakeWalk, PICTURE } from './fake-walk.js';

const ORIGIN = 'https://archived.test';

/** Asks for what is in the archive and for what is not. */
const ASKING = `<!doctype html><title>waiting</title><img src="/copy.png"><script>
  const post = (body) => fetch('/form', { method: 'POST', body: new URLSearchParams(body) }).then((answer) => answer.text(), () => 'missed');
  Promise.all([post({ question: 1, other: '\\u00e4' }), post({ question: 2 }), fetch('/absent?a').then(() => 'found', () => 'missed')])
    .then((answers) => { document.title = answers.join() });
</script>`;

const walk = definePlugin({
  name: 'walk',
  captures: [{ kind: 'walk', streaming: true }],
  apply({ hooks }) {
    const exchanges = [
      fakeExchange({ url: `${ORIGIN}/asking`, content: ASKING, date: after(7000) }),
      fakeExchange({ url: `${ORIGIN}/copy.png`, type: 'image/png', content: PICTURE, date: after(8000), resourceType: 'Image' }),
    ];
    const pages = [...fakeSite(ORIGIN), fakePage({ url: `${ORIGIN}/asking`, depth: 1, exchanges })];
    hooks.capture.for('walk').tap('walk', () => fakeWalk(pages, `${ORIGIN}/`));
  },
});

async function renderWacz() {
  await using host = createTestKernel({ plugins: [walk, wacz] });
  const render = await host.render({ output_type: 'wacz', url: 'data:text/html,seed' });
  expect(render.output).toMatchObject({ contentType: 'application/wacz', extension: 'wacz' });
  return await openCheckedFile(await render.bytes(), 'wacz');
}

it('a rendered WACZ file replays every page without a network', async () => {
  await using file = await renderWacz();
  await using replay = await openOfflineReplay({ wacz: file.path });
  expect(await replay.visit(`${ORIGIN}/`)).toEqual({ status: 200, title: 'Home', text: 'welcome\n\nsecond' });
  const pictures = replay.open(`${ORIGIN}/#top`, (page) =>
    page.$eval('img', ({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight]),
  );
  expect(await pictures).toEqual([2, 1]);
  expect(await replay.visit(`${ORIGIN}/second?a=1`)).toEqual({ status: 404, title: 'Second', text: 'not here' });
  expect(replay.misses).toEqual([]);
});

it('a form is found by what was posted, a copy by its original, and what is not in the archive is missed', async () => {
  await using file = await renderWacz();
  const lines = parseCdx((await readMember(file.path, 'indexes/index.cdx')).toString());
  expect(lines.find(({ fields }) => fields.url.endsWith('/copy.png'))?.fields.mime).toBe('warc/revisit');
  await using replay = await openOfflineReplay({ wacz: file.path });
  const title = await replay.open(`${ORIGIN}/asking`, async (page) => {
    await page.waitForFunction(() => document.title !== 'waiting');
    expect(await page.$eval('img', ({ naturalWidth }) => naturalWidth)).toBe(2);
    return page.title();
  });
  expect(title).toBe('{"ok":true},missed,missed');
  expect(replay.misses.toSorted()).toEqual([`GET ${ORIGIN}/absent?a`, `POST ${ORIGIN}/form`]);
});

it('a WARC replays with its index beside it', async () => {
  await using file = await renderWacz();
  const [warc, cdxj] = [file.beside('data.warc.gz'), file.beside('index.cdxj')];
  expect((await listMembers(file.path)).map(({ name }) => name)).toContain('indexes/index.cdx');
  await writeFile(warc, await readMember(file.path, 'archive/data.warc.gz'));
  await writeFile(cdxj, await readMember(file.path, 'indexes/index.cdx'));
  await using replay = await openOfflineReplay({ warc, cdxj });
  expect(await replay.visit(`${ORIGIN}/slow`)).toMatchObject({ text: 'slow' });
  expect(replay.misses).toEqual([]);
});
