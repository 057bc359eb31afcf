import { describe, expect, it } from 'vitest';
import { createOutbound } from '../../kernel/src/egress/outbound.js';
import { createEgress } from '../../kernel/src/egress/index.js';
import { offlineOutbound, outboundOf } from '../../kernel/src/render-outbound.js';
import { createValues } from '../../kernel/src/values.js';
import { openSite } from '../helpers/site.js';
import { get, tunnel } from './egress/client.js';

describe('an offline render', () => {
  it('has an egress proxy that connects to nobody, and looks up no name', async () => {
    await using site = await openSite({ '/': 'here' });
    const asked: string[] = [];
    await using egress = createEgress({ resolve: (host) => (asked.push(host), Promise.resolve([{ address: '127.0.0.1', family: 4 }])) });
    const listener = await egress.open();
    expect((await get(listener.port, site.url('/', 'site.test'))).body).toBe('here');
    listener.goOffline();
    await expect(get(listener.port, site.url('/', 'site.test'))).rejects.toThrow('socket hang up');
    expect((await tunnel(listener.port, 'other.test:443')).status).toBe(403);
    expect([asked, site.requests.length]).toEqual([['site.test'], 1]);
    expect(listener.entries.filter(({ outcome }) => outcome === 'blocked').map(({ host, reason }) => [host, reason])).toEqual([
      ['site.test', 'the render has no network'],
      ['other.test', 'the render has no network'],
    ]);
  });

  it('has its own requests answered by the plugin that supplies its network, or refused', async () => {
    await using site = await openSite({ '/': 'here' });
    const outbound = createOutbound({ addressFilters: [] });
    const values = createValues();
    const render = (browser: object) => outboundOf({ plan: { browser }, ...values } as never, outbound);
    const { signal } = new AbortController();
    const options = { maxBytes: 100, timeoutMs: 5000 };
    expect((await render({}).fetch(site.url('/'), options)).status).toBe(200);
    await expect(render({ offline: true }).fetch(site.url('/'), options)).rejects.toThrow('the render has no network');
    await expect(render({ offline: true }).open(site.url('/'), { signal })).rejects.toThrow('the render has no network');
    values.set(offlineOutbound, (url) => Promise.reject(new Error(`asked for ${url}`)));
    await expect(render({ offline: true }).open('http://a.test/', { signal })).rejects.toThrow('asked for http://a.test/');
    expect(site.requests).toHaveLength(1);
  });
});
