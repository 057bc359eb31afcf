import { definePlugin, type ProtocolSession, type TargetSession } from '@platen/kernel';
import { expect, it } from 'vitest';
import { acting, openHarProber } from './har-prober.js';
import { openTrafficSite, type TrafficSite } from './traffic-site.js';

const SIZE = 52_000_000;

/** A page that says so the moment it has read all of a large body. */
function openLargeSite(): Promise<TrafficSite> {
  const body = Buffer.alloc(SIZE, 'x');
  return openTrafficSite({
    '/': acting(`await (await fetch('/large')).arrayBuffer(); read('')`),
    '/large': (_request, response) => response.writeHead(200, { 'content-type': 'text/plain', 'content-length': SIZE }).end(body),
  });
}

/** The render is over the moment that the page says so. */
const prompt = definePlugin({
  name: 'prompt',
  apply({ hooks }) {
    const readings = new WeakMap<object, Promise<void>>();
    hooks.beforeNavigate.tapPromise('prompt', async ({ page }) => {
      const reading = new Promise<void>((resolve) => {
        page.on('Runtime.bindingCalled', ({ name }) => {
          if (name === 'read') resolve();
        });
      });
      readings.set(page, reading);
      await page.send('Runtime.enable');
      await page.send('Runtime.addBinding', { name: 'read' });
    });
    hooks.waitFor.tapPromise('prompt', async ({ page }) => {
      await readings.get(page);
      return { condition: 'read' };
    });
  },
});

/** What the second sessions of targets hear of bodies lies still until the next command is answered on them: as in a pipe that is full. */
const slow = definePlugin({
  name: 'slow',
  apply({ hooks }) {
    hooks.beforeNavigate.tap('slow', ({ page }) => {
      page.targets.configure((target) => {
        const openSession = target.openSession.bind(target);
        const slowed: Pick<TargetSession, 'openSession'> = { openSession: async () => slowDown(await openSession()) };
        Object.assign(target, slowed);
        return [];
      });
    });
  },
});

function slowDown(session: ProtocolSession): ProtocolSession {
  const waiting: (() => void)[] = [];
  return {
    on: (event, listener) =>
      session.on(event, (payload) => {
        if (event.startsWith('Network.')) waiting.push(() => listener(payload));
        else listener(payload);
      }),
    async send(method, params, options) {
      const answer = await session.send(method, params, options);
      if (!method.startsWith('Network.')) for (const deliver of waiting.splice(0)) deliver();
      return answer;
    },
  };
}

it('a large body is whole where the render is over the moment that the page has read it, time and again', async () => {
  await using site = await openLargeSite();
  await using prober = openHarProber(prompt);
  for (let time = 0; time < 2; time += 1) {
    const { response } = (await prober.har({ url: site.url('/') })).one('/large');
    expect(response).toMatchObject({ bodySize: SIZE, content: { size: SIZE } });
    expect(response.content.text?.length).toBe(SIZE);
    expect(response.content.comment).toBeUndefined();
  }
}, 120_000);

it('a large body is whole where its bytes come long after the word that they have ended', async () => {
  await using site = await openLargeSite();
  await using prober = openHarProber(prompt, slow);
  const { response } = (await prober.har({ url: site.url('/') })).one('/large');
  expect(response.content).toMatchObject({ size: SIZE });
  expect(response.content.text?.length).toBe(SIZE);
  expect(response.content.comment).toBeUndefined();
}, 120_000);
