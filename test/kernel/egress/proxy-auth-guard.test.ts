import { describe, expect, it, vi } from 'vitest';
import { createProxyAuthGuard } from '../../../kernel/src/egress/proxy-auth-guard.js';

const HEAD_407 = 'HTTP/1.1 407 Proxy Authentication Required\r\n';

/** Whether any of the pieces completes a 407. */
function sees(...pieces: readonly string[]): boolean {
  const watch = createProxyAuthGuard();
  watch.expect();
  return pieces.map((piece) => watch.asksForProxyAuth(Buffer.from(piece, 'latin1'))).includes(true);
}

describe('createProxyAuthGuard', () => {
  it.each([
    ['whole', [HEAD_407]],
    ['byte by byte', HEAD_407.split(/(?=[^])/)],
    ['behind four bytes of anything', ['\r\n\r\n', HEAD_407]],
    ['in lower case, without a version', ['http 407 x\n']],
    ['with many blanks and a leading zero', [`HTTP/1.1${' '.repeat(300)}0407\n`]],
    ['behind interim answers', ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n', '\r\n', HEAD_407]],
    ['behind a switch of protocols that nobody asked for', [`HTTP/1.1 101 x\r\n\r\n${HEAD_407}`]],
    ['behind an interim answer byte by byte', `HTTP/1.1 103 x\r\nA: b\r\n\r\n${HEAD_407}`.split(/(?=[^])/)],
    ['behind interim answers with bare line feeds', [`HTTP/1.1 199\nA: b\n\n${HEAD_407}`]],
  ])('finds a 407 %s', (_, pieces) => {
    expect(sees(...pieces)).toBe(true);
  });

  it.each([
    ['another status', ['HTTP/1.1 200 OK\r\n\r\n', HEAD_407]],
    ['what a body says', [`HTTP/1.1 200 OK\r\n\r\n${HEAD_407}`]],
    ['no HTTP at all', ['<html>HTTP/1.1 407 x\n', HEAD_407]],
    ['a reason of that number', ['HTTP/1.1 200 407\r\n']],
    ['a head longer than a browser takes', [`HTTP/1.1 103 x\r\nA: ${'x'.repeat(300_000)}\r\n\r\n${HEAD_407}`.slice(0, 290_000), HEAD_407]],
  ])('lets %s pass', (_, pieces) => {
    expect(sees(...pieces)).toBe(false);
  });

  it('reads any number of interim answers', () => {
    expect(sees('http 100\n\n'.repeat(100_000) + HEAD_407)).toBe(true);
  });

  it('looks at each byte of a head once, however they come', () => {
    const watch = createProxyAuthGuard();
    watch.expect();
    const read = vi.spyOn(RegExp.prototype, 'exec');
    watch.asksForProxyAuth(Buffer.from('HTTP/1.1 103 x\n'));
    for (let sent = 0; sent < 10_000; sent += 1) watch.asksForProxyAuth(Buffer.from('a:b\n'));
    const looked = read.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    read.mockRestore();
    expect(looked).toBeLessThan(100_000);
    expect(watch.asksForProxyAuth(Buffer.from(`\n${HEAD_407}`))).toBe(true);
  });

  it('looks at nothing that no request asked for', () => {
    expect(createProxyAuthGuard().asksForProxyAuth(Buffer.from(HEAD_407))).toBe(false);
  });
});
