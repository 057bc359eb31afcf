import { definePlugin, PlatenError, type RenderResult } from '@platen/kernel';
import { afterEach, describe, expect, it } from 'vitest';
import { createSharedRender } from '../../../../plugins/service/cache/src/shared-render.js';
import { startRequestDeadline } from '../../../../plugins/service/cache/src/request-deadline.js';
import { until } from '../../../helpers/until.js';
import { closeAll, openCached, renderedAs } from './cached-server.js';

afterEach(closeAll);

const timeUp = () => new PlatenError('render_timeout', 'the render did not begin within 30 s', { phase: 'queue' });

describe('who joined a render whose time was up', () => {
  it('asks again while its own time is not, and those who do share one render', async () => {
    const held: { resolve(result: Promise<RenderResult>): void; reject(error: unknown): void }[] = [];
    let asked = 0;
    const witness = definePlugin({
      name: 'witness',
      serve({ hooks }) {
        hooks.beforeRender.tap('witness', () => {
          asked += 1;
          return undefined;
        });
      },
    });
    const render = () => new Promise<RenderResult>((resolve, reject) => held.push({ resolve, reject }));
    const server = await openCached({ render, plugins: [witness] });
    const first = server.get('url=http://a.test/');
    await until(() => held.length === 1);
    const others = [server.get('url=http://a.test/'), server.get('url=http://a.test/')];
    await until(() => asked === 3);
    held[0]?.reject(timeUp());
    expect(await (await first).json()).toMatchObject({ status: 504, code: 'render_timeout' });
    await until(() => held.length === 2);
    held[1]?.resolve(renderedAs(Buffer.from('in time')));
    for (const answer of await Promise.all(others)) expect(await answer.text()).toBe('in time');
    expect(server.renders()).toBe(2);
  });

  it('waits for another no longer than its own time, and says so; the render that nobody waits for is ended', async () => {
    const time = startRequestDeadline({ timeoutMs: 1000 });
    expect(time.allowsAnother(timeUp())).toBe(true);
    const endless = createSharedRender(
      () => new Promise(() => undefined),
      () => false,
    );
    await expect(time.join(endless, new AbortController().signal)).rejects.toMatchObject({
      code: 'render_timeout',
      message: expect.stringMatching(/^the render did not finish within 1 s, /),
    });
    expect(endless.isOpen).toBe(false);
    expect(time.allowsAnother(timeUp())).toBe(false);
  });

  it('shares every other failure, and one at the end of its own time', () => {
    expect(startRequestDeadline({ timeoutMs: null }).allowsAnother(new PlatenError('page_crashed', 'it crashed'))).toBe(false);
    expect(startRequestDeadline({ timeoutMs: 50 }).allowsAnother(timeUp())).toBe(false);
    expect(startRequestDeadline({ timeoutMs: null }).allowsAnother(timeUp())).toBe(true);
  });
});
