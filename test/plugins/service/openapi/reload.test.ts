import { expect, it } from 'vitest';
import { openDocumented, type Document } from './open-documented.js';

const TOKEN = { 'server-token-auth': ['one'] };
const BASIC = { 'server-basic-auth': ['ann:two'] };
const SIGNED = { 'server-signed-url': ['three'] };
const METRICS = { 'server-enable-prometheus': true };

it.each([
  ['tokens where nobody was asked', {}, TOKEN, ['token'], 200],
  ['tokens beside users', BASIC, { ...BASIC, ...TOKEN }, ['token'], 200],
  ['users where nobody was asked', {}, BASIC, ['basic'], 401],
  ['signatures beside tokens', TOKEN, { ...TOKEN, ...SIGNED }, ['expires', 'signature', 'token'], 200],
  ['nothing in place of tokens, which stay', TOKEN, {}, ['token'], 200],
  ['users for /metrics', METRICS, { ...METRICS, 'server-prometheus-auth': ['ann:two'] }, ['metrics'], 200],
])(
  'after a reload with %s the document says who is let in, and the pages open where they can ask',
  async (_, former, next, schemes, pages) => {
    const authorization = 'server-basic-auth' in next && !('server-token-auth' in next) ? `Basic ${btoa('ann:two')}` : 'Bearer one';
    const headers = { authorization };
    await using server = await openDocumented({ flags: former, headers });
    const etag = (await fetch(`${server.url}/openapi.json`, { headers })).headers.get('etag');
    await server.server.reload({ 'server-enable-docs': true, ...next });
    const answer = await fetch(`${server.url}/openapi.json`, { headers });
    const document: Document = await answer.json();
    expect(Object.keys(document.components.securitySchemes ?? {}).sort()).toEqual(schemes);
    const told = schemes[0] === 'metrics' ? document.paths['/metrics'].get : document.paths['/'].post;
    expect(Object.keys(told.responses)).toContain('401');
    expect(answer.headers.get('etag') === etag).toBe(former === TOKEN && Object.keys(next).length === 0);
    const opened = await Promise.all(['/docs', '/playground'].map(async (path) => (await fetch(server.url + path)).status));
    expect(opened).toEqual([pages, pages]);
  },
);
