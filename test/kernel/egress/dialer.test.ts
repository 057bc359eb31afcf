import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createDialer } from '../../../kernel/src/egress/dialer.js';
import type { Resolve } from '../../../kernel/src/egress/name-resolver.js';
import { openSite } from '../../helpers/site.js';

const answering =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

describe('a route', () => {
  it('refuses a name of which a single address is refused', async () => {
    const dialer = createDialer({ resolve: answering('127.0.0.1', '169.254.169.254') });
    await expect(dialer.route('mixed.test', 80)).rejects.toMatchObject({ outcome: 'blocked', address: '169.254.169.254' });
  });

  it.each(['2852039166', '0xA9FEA9FE', '0251.0376.0251.0376', '169.254.43518'])(
    'filters the address that the spelling %s means',
    async (host) => {
      await expect(createDialer().route(host, 80)).rejects.toMatchObject({ outcome: 'blocked', address: '169.254.169.254' });
    },
  );

  it('passes through every filter, which see address, port and name', async () => {
    const seen: unknown[] = [];
    const dialer = createDialer({
      resolve: answering('192.0.2.1'),
      addressFilters: [
        (destination) => {
          seen.push(destination);
          return undefined;
        },
        ({ port }) => (port === 25 ? 'no mail' : undefined),
      ],
    });
    await dialer.route('a.test', 80);
    await expect(dialer.route('a.test', 25)).rejects.toMatchObject({ outcome: 'blocked', message: 'no mail' });
    expect(seen[0]).toEqual({ address: '192.0.2.1', port: 80, host: 'a.test' });
  });

  it('of a name that is refused begins no look-up', async () => {
    const asked: string[] = [];
    const resolve: Resolve = (host) => {
      asked.push(host);
      return answering('192.0.2.1')(host);
    };
    const hostFilters = [(name: string) => (name === 'bad.test' ? 'its name' : undefined)];
    const dialer = createDialer({ resolve, hostFilters });
    await expect(dialer.route('Bad.Test.', 80)).rejects.toMatchObject({ outcome: 'blocked', message: 'its name', address: undefined });
    await dialer.route('good.test', 80);
    expect(asked).toEqual(['good.test']);
  });

  it('says why a name has no address', async () => {
    const failing: Resolve = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
    await expect(createDialer({ resolve: failing }).route('nowhere.test', 80)).rejects.toMatchObject({
      outcome: 'unresolved',
      message: 'ENOTFOUND',
    });
    await expect(createDialer({ resolve: answering() }).route('empty.test', 80)).rejects.toMatchObject({ outcome: 'unresolved' });
  });

  it('asks again after a failed lookup', async () => {
    let asked = 0;
    const dialer = createDialer({ resolve: () => (++asked === 1 ? Promise.reject(new Error('try later')) : answering('192.0.2.1')('')) });
    await expect(dialer.route('a.test', 80)).rejects.toMatchObject({ outcome: 'unresolved' });
    await expect(dialer.route('a.test', 80)).resolves.toMatchObject({ addresses: [{ address: '192.0.2.1' }] });
  });
});

describe('a connection', () => {
  it('goes to the address that was checked, whatever the name resolves to later', async () => {
    await using site = await openSite({});
    let asked = 0;
    const dialer = createDialer({ resolve: (host) => answering(++asked === 1 ? '127.0.0.1' : '169.254.169.254')(host) });
    const route = await dialer.route('rebind.test', site.port);
    const socket = dialer.connect(await dialer.route('rebind.test', site.port));
    await once(socket, 'connect');
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(asked).toBe(1);
    expect(route.addresses).toHaveLength(1);
    socket.destroy();
  });

  it('tries the next address where one does not answer', async () => {
    await using site = await openSite({});
    const dialer = createDialer({ resolve: answering('::1', '127.0.0.1') });
    const socket = dialer.connect(await dialer.route('both.test', site.port));
    await once(socket, 'connect');
    expect(socket.remoteAddress).toBe('127.0.0.1');
    socket.destroy();
  });

  it('reaches localhost and names below it without a resolver', async () => {
    await using site = await openSite({});
    const dialer = createDialer();
    for (const host of ['localhost', 'a.localhost', 'b.a.LOCALHOST.']) {
      const socket = dialer.connect(await dialer.route(host, site.port));
      await once(socket, 'connect');
      socket.destroy();
    }
  });
});
