import egress from '@platen/plugin-egress';
import robots from '@platen/plugin-robots';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import proxy from '../../../../plugins/service/proxy/src/index.js';
import { openPrivateSite, type PrivateSite } from '../../../kernel/browser/process/private-authority.js';
import { openProxy } from '../../../helpers/proxy.js';
import { openProber } from '../../page/probe.js';

let site: PrivateSite;
beforeAll(async () => {
  // The page asks a second host, of the same server: only the first is named.
  site = await openPrivateSite(`<title>private</title><script>
    const ask = (url) => fetch(url, { mode: 'no-cors' }).then(() => 'answered', () => 'failed');
    const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = ({ data }) => fetch(data, { mode: "no-cors" }).then(() => postMessage("answered"), () => postMessage("failed"))'])));
    const inWorker = (url) => new Promise((done) => { worker.onmessage = ({ data }) => done(data); worker.postMessage(url); });
    const other = location.href.replace('127.0.0.1', 'localhost');
    window.report = (async () => [await ask(location.href), await ask(other), await inWorker(location.href), await inWorker(other)])();
  </script>`);
});
afterAll(() => site[Symbol.asyncDispose]());

describe('--egress-insecure-host', () => {
  it.each([[['127.0.0.1']], [['*.example', '127.0.0.1:*']]])('%j: its certificates are not verified, all others are', async (hosts) => {
    await using prober = openProber({ plugins: [egress, robots], flags: { 'egress-insecure-host': hosts } });
    expect((await prober.probe({ url: site.url })).report).toEqual(['answered', 'failed', 'answered', 'failed']);
    await expect(prober.probe({ url: site.url.replace('127.0.0.1', 'localhost') })).rejects.toMatchObject({
      code: 'target_unreachable',
      details: { target: { net_error: 'net::ERR_CERT_AUTHORITY_INVALID' } },
    });
  });

  it('holds behind a proxy, also one with a certificate that is trusted', async () => {
    await using upstream = await openProxy();
    const flags = { 'egress-insecure-host': ['127.0.0.1'], 'egress-proxy': upstream.url };
    await using prober = openProber({ plugins: [egress, robots, proxy], flags });
    expect((await prober.probe({ url: site.url })).report).toEqual(['answered', 'failed', 'answered', 'failed']);
    expect(upstream.asked.length).toBeGreaterThan(1);
  });

  it('an https proxy, by --browser-ca-file', async () => {
    const tls = { key: `${site.folder}/server.key`, cert: `${site.folder}/server.pem` };
    await using upstream = await openProxy({ kind: 'https', tls });
    const url = site.url;
    const trusting = {
      'browser-ca-file': [`${site.folder}/authority.pem`],
      'egress-insecure-host': ['127.0.0.1'],
      'egress-proxy': upstream.url,
    };
    await using prober = openProber({ plugins: [egress, robots, proxy], flags: trusting });
    expect((await prober.probe({ url })).report).toEqual(['answered', 'failed', 'answered', 'failed']);
    await using doubting = openProber({ plugins: [egress, robots, proxy], flags: { 'egress-proxy': upstream.url } });
    await expect(doubting.probe({ url })).rejects.toMatchObject({ code: 'proxy_failed' });
  });
});
