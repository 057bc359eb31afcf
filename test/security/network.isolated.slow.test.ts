import { describe, expect, it } from 'vitest';
import { hasNamespaces, NEEDS_NAMESPACES, runRig } from './run-rig.js';

const PRIVATE = '--block-private-ips';
/** The page's own site, so that it is a secure context: service workers need one. */
const BUT_LOCALHOST = [PRIVATE, '--allow-ip-range', '127.0.0.1', '--allow-ip-range', '::1'];
const DONE = ['--wait-for', 'css:[data-done]'];

/** What reaches a host that may be reached: proof that the page asks. */
const KINDS = [
  ...['audio', 'background', 'beacon', 'embed', 'events', 'fetch', 'font', 'form', 'iframe', 'img', 'import', 'import-scripts', 'input'],
  ...['keepalive', 'module', 'modulepreload', 'object', 'picture', 'popup', 'poster', 'prefetch', 'preload', 'script', 'service-worker'],
  ...['shared-worker', 'srcset', 'stylesheet', 'svg-image', 'video', 'websocket', 'worker', 'xhr'],
];

describe.skipIf(!hasNamespaces)(`in a network of its own (${NEEDS_NAMESPACES})`, () => {
  it.each([
    ['rebind-to-metadata.test', []],
    ['rebind-to-private.test', [PRIVATE]],
  ])('S6: a name that answers differently the second time is dialed where it was judged: %s', async (host, flags) => {
    const { code, body, hits, asked } = await runRig(`http://${host}/again`, '--skip-robots-txt', ...flags, ...DONE);
    expect(body).toContain('second answer: public');
    expect(hits).toEqual([]);
    expect(new Set(asked)).toEqual(new Set([host]));
    expect(code).toBe(0);
  });

  it('S6: nor is it where the server itself has asked for robots.txt in between', async () => {
    const { body, errors, hits } = await runRig('http://rebind-to-metadata.test/again');
    expect(errors).toContain('its address is a link-local or cloud metadata address');
    expect([body, hits]).toEqual(['', []]);
  });

  it('S6: a name with a private address among its public ones is refused', async () => {
    const { code, errors, hits } = await runRig('http://mixed.test/', PRIVATE);
    expect(errors).toContain('its address is a private address (--block-private-ips)');
    expect([code, hits]).toEqual([3, []]);
  });

  it('S8: requests of every kind reach a host that may be reached; STUN, WebTransport and what is fetched ahead reach none', async () => {
    const { hits } = await runRig('http://localhost/every?canary=9.9.9.11', ...BUT_LOCALHOST, ...DONE);
    expect(hits.filter((hit) => !/:\d+ connection$/.test(hit)).map((hit) => hit.split(' ')[1])).toEqual(expect.arrayContaining(KINDS));
    const ahead = /packet|webtransport|speculation|prerender|:8080|:443/;
    expect(hits.filter((hit) => ahead.test(hit))).toEqual([]);
  });

  it.each(['169.254.169.254', '10.9.9.9', 'private.test'])('S8: no request of any kind reaches %s', async (canary) => {
    const { code, body, hits, asked } = await runRig(`http://localhost/every?canary=${canary}`, ...BUT_LOCALHOST, ...DONE);
    expect([code, hits]).toEqual([0, []]);
    expect(body).toContain('data-done');
    expect(body).not.toContain('SECRET');
    // Nothing is looked up ahead, and the browser asks nobody on its own behalf.
    expect(asked.filter((name) => name !== canary)).toEqual([]);
  });

  it.each([
    ['robots.txt that redirects', 'http://robots.test/again', []],
    [
      'a key for signatures',
      'http://page.test/again',
      ['--web-bot-auth', 'https://agent.test=http://169.254.169.254/key', '--skip-robots-txt'],
    ],
  ])('S9: what the server fetches reaches no metadata address: %s', async (_what, url, flags) => {
    const { code, hits, body } = await runRig(url, ...flags);
    expect(code).not.toBe(0);
    expect([body, hits]).toEqual(['', []]);
  });

  it('S9: a blocklist is fetched by the same rules', async () => {
    const { code, errors, hits } = await runRig('http://page.test/', PRIVATE, '--ip-blocklist', 'http://private.test/list');
    expect(errors).toContain('the source "http://private.test/list" of --ip-blocklist is unavailable');
    expect([code, hits]).toEqual([2, []]);
  });
});
