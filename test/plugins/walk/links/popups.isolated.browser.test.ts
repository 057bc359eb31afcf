import { definePlugin, type RenderContext, type TargetSession } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, expect, it } from 'vitest';
import { findLinks } from '../../../../plugins/walk/links/src/index.js';
import { openSite } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';

const script: { work: (context: RenderContext) => Promise<unknown> } = { work: () => Promise.resolve('') };
const probe = definePlugin({
  name: 'probe',
  captures: [{ kind: 'probe' }],
  outputs: [{ type: 'probe', from: 'probe', contentType: 'text/plain', extension: 'txt' }],
  apply({ hooks }) {
    hooks.capture.for('probe').tapPromise('probe', (context) => script.work(context));
    hooks.encode
      .for('probe')
      .tap('probe', (value) => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.from(JSON.stringify(value)) }));
  },
});
const host = createTestKernel({ plugins: [probe] });
afterAll(() => host[Symbol.asyncDispose]());

async function run(work: (context: RenderContext, popup: TargetSession) => Promise<unknown>): Promise<unknown> {
  let port = 0;
  await using site = await openSite({
    '/': '<a href="/own">own</a>',
    '/popup': () => `<a href="/of-popup">of popup</a><iframe src="http://localhost:${String(port)}/ad"></iframe>`,
    '/ad': '<a href="/of-ad">of the ad</a>',
  });
  port = Number(new URL(site.url('/')).port);
  script.work = async (context) => {
    const popups: TargetSession[] = [];
    context.page.targets.configure((target) => {
      if (target.kind === 'page' && !target.primary) popups.push(target);
      return [];
    });
    await context.page.evaluateInMainWorld('new Promise((loaded) => { open("/popup").onload = loaded })');
    await until(() => context.page.targets.all.some(({ kind }) => kind === 'iframe'));
    const [popup] = popups;
    if (popup === undefined) throw new Error('no popup');
    return work(context, popup);
  };
  const { bytes } = await host.render({ url: site.url('/'), output_type: 'probe' });
  return JSON.parse((await bytes()).toString().replaceAll(String(port), 'PORT'));
}

it('links of the page, of which a popup is open', async () => {
  expect(await run((context) => findLinks(context, []))).toEqual(['http://127.0.0.1:PORT/own']);
});
it('links of a popup that is shown', async () => {
  expect(
    await run((context, popup) => {
      context.show(context.page.pageOf(popup));
      return findLinks(context, []);
    }),
  ).toEqual(['http://127.0.0.1:PORT/of-popup', 'http://localhost:PORT/of-ad']);
});
