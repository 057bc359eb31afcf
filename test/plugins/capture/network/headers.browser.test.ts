import { afterAll, describe, expect, it } from 'vitest';
import { receivedHeaders } from '../../../../plugins/capture/network/src/header-lines.js';
import { openHarProber } from './har-prober.js';
import { openRawSite } from './raw-site.js';

const prober = openHarProber();
afterAll(() => prober[Symbol.asyncDispose]());

const REST = 'Content-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n';

describe('header lines that are no ASCII', () => {
  it('bytes that are not UTF-8 are told as Latin-1, and no header behind them is lost', async () => {
    const head = `HTTP/1.1 200 OK\r\nX-One: caf\xe9\r\nX-Two: two\r\nX-Three: \xe9t\xe9.txt\r\n${REST}`;
    await using site = await openRawSite({ '/': `${head}ok` });
    const { response } = (await prober.har({ url: site.url('/') })).one('/');
    expect(response.headers).toEqual([
      { name: 'X-One', value: 'café' },
      { name: 'X-Two', value: 'two' },
      { name: 'X-Three', value: 'été.txt' },
      { name: 'Content-Type', value: 'text/plain' },
      { name: 'Content-Length', value: '2' },
      { name: 'Connection', value: 'close' },
    ]);
    expect(response).toMatchObject({ headersSize: head.length, bodySize: 2, _transferSize: head.length + 2, content: { size: 2 } });
  });

  it('UTF-8 is told as text, and counted in bytes', async () => {
    const head = `HTTP/1.1 200 OK\r\nX-U8: ${'\xc3\xa9'.repeat(100)}\r\n${REST}`;
    await using site = await openRawSite({ '/': `${head}ok` });
    const { response } = (await prober.har({ url: site.url('/') })).one('/');
    expect(response.headers[0]).toEqual({ name: 'X-U8', value: 'é'.repeat(100) });
    expect(response).toMatchObject({ headersSize: head.length, bodySize: 2 });
  });

  it('each of several lines of one name that swallowed one another is there, in order', () => {
    const headers = { 'Set-Cookie': 'a=\xe9\nb=2', 'X-Mid': 'm', 'set-cookie': 'c=3' };
    const text = 'HTTP/1.1 200 OK\r\nSet-Cookie: a=Set-Cookie: b=2\r\nX-Mid: m\r\nset-cookie: c=3\r\n\r\n';
    expect(receivedHeaders(headers, text).lines).toEqual([
      { name: 'Set-Cookie', value: 'a=é' },
      { name: 'Set-Cookie', value: 'b=2' },
      { name: 'X-Mid', value: 'm' },
      { name: 'set-cookie', value: 'c=3' },
    ]);
  });

  it('a status line that swallowed a header gives it back', () => {
    expect(receivedHeaders({ 'X-Two': 'two', 'X-Three': '3' }, 'HTTP/1.1 200 cafX-Two: two\r\nX-Three: 3\r\n\r\n')).toEqual({
      statusText: 'caf',
      lines: [
        { name: 'X-Two', value: 'two' },
        { name: 'X-Three', value: '3' },
      ],
    });
  });

  it('a value that reads like another header is none', () => {
    const text = 'HTTP/1.1 200 OK\r\nX-Note: Server: none\r\nX-Other: 1\r\nServer: s\r\n\r\n';
    expect(receivedHeaders({ Server: 's', 'X-Note': 'Server: none', 'X-Other': '1' }, text).lines.map(({ name }) => name)).toEqual([
      'X-Note',
      'X-Other',
      'Server',
    ]);
  });

  it('without lines, as in HTTP/2, values are told alike', () => {
    expect(receivedHeaders({ 'x-u8': '\xc3\xa9', 'x-l1': '\xe9' }, undefined)).toEqual({
      statusText: undefined,
      lines: [
        { name: 'x-u8', value: 'é' },
        { name: 'x-l1', value: 'é' },
      ],
    });
  });
});
