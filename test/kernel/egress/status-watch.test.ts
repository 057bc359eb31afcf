import { describe, expect, it } from 'vitest';
import { createStatusWatch } from '../../../kernel/src/egress/status-watch.js';

const HEAD_407 = 'HTTP/1.1 407 Proxy Authentication Required\r\n';

/** Whether any of the pieces completes a 407. */
function sees(...pieces: readonly string[]): boolean {
  const watch = createStatusWatch();
  watch.expect();
  return pieces.map((piece) => watch.asksForProxyAuth(Buffer.from(piece, 'latin1'))).includes(true);
}

describe('createStatusWatch', () => {
  it.each([
    ['whole', [HEAD_407]],
    ['byte by byte', HEAD_407.split(/(?=[^])/)],
    ['behind four bytes of anything', ['\r\n\r\n', HEAD_407]],
    ['in lower case, without a version', ['http 407 x\n']],
    ['with many blanks and a leading zero', [`HTTP/1.1${' '.repeat(300)}0407\n`]],
    ['behind interim answers', ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n', '\r\n', HEAD_407]],
    ['behind interim answers with bare line feeds', [`HTTP/1.1 199\nA: b\n\n${HEAD_407}`]],
  ])('finds a 407 %s', (_, pieces) => {
    expect(sees(...pieces)).toBe(true);
  });

  it.each([
    ['another status', ['HTTP/1.1 200 OK\r\n\r\n', HEAD_407]],
    ['a switch of protocols', ['HTTP/1.1 101 x\r\n\r\n', HEAD_407]],
    ['what a body says', [`HTTP/1.1 200 OK\r\n\r\n${HEAD_407}`]],
    ['no HTTP at all', ['<html>HTTP/1.1 407 x\n', HEAD_407]],
    ['a reason of that number', ['HTTP/1.1 200 407\r\n']],
    ['a head longer than a browser takes', [`HTTP/1.1 103 x\r\nA: ${'x'.repeat(300_000)}\r\n\r\n${HEAD_407}`.slice(0, 290_000), HEAD_407]],
  ])('lets %s pass', (_, pieces) => {
    expect(sees(...pieces)).toBe(false);
  });

  it('looks at nothing that no request asked for', () => {
    expect(createStatusWatch().asksForProxyAuth(Buffer.from(HEAD_407))).toBe(false);
  });
});
