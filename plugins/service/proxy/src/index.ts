import { BODY_OR_FILE, definePlugin, DialError, type Fragments, type Outbound, type Upstream } from '@platen/kernel';
import type { ReportFinding } from '@platen/server';
import { readOperatorProxies } from './choose-proxy.js';
import { authorityOf } from './credentials.js';
import { EXPECTED, type ProxyServer, readProxy } from './proxy-server.js';

const FLAGS = {
  'egress-proxy': {
    type: 'string',
    minLength: 1,
    'x-secret': true,
    description:
      'Proxy for all connections of pages and of the server: http, https or socks5, with credentials if needed. Default: the variables HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, which "none" ignores. NO_PROXY names exceptions.',
    examples: ['http://proxy.example:3128', 'socks5://127.0.0.1:1080', 'none'],
  },
  'egress-proxy-resolves': {
    type: 'boolean',
    default: false,
    description:
      'Leave the resolution of names to the proxy. Rules for addresses, such as --block-private-ips, then do not see those of names.',
  },
  'egress-allow-proxy': {
    type: 'boolean',
    default: false,
    description: 'Allow requests to name a proxy of their own: the parameter "proxy".',
  },
} as const satisfies Fragments;

/** Leaves by a proxy: that of the operator, or of the request. Without one it adds no step to a connection. */
export default definePlugin({
  name: 'proxy',
  params: {
    proxy: {
      type: 'string',
      minLength: 1,
      description:
        'Proxy for the connections of this render: an http, https or socks5 URL. The server must allow it (`--egress-allow-proxy`).',
      examples: ['http://user:password@proxy.example:3128'],
      // It may change pages that are not encrypted.
      'x-code': true,
      'x-at-file': true,
      'x-sources': BODY_OR_FILE,
      'x-secret': true,
      'x-extension': true,
      'x-synonyms': { proxy_url: true, proxy_server: true, http_proxy: true, https_proxy: true },
    },
  },
  flags: FLAGS,
  planFor: { param: 'proxy' },
  plan({ params: { proxy }, browser, refuse }, { 'egress-allow-proxy': isAllowed }) {
    if (proxy === undefined) return;
    if (isAllowed !== true) refuse('proxy', '"proxy" is not allowed by this server: it is started without --egress-allow-proxy');
    if (readClientProxy(proxy, { resolvesNames: false }) === undefined) refuse('proxy', `"proxy" must be ${EXPECTED}`);
    browser.proxy = proxy;
  },
  apply({ options, outbound, log }) {
    const resolvesNames = options['egress-proxy-resolves'] === true;
    const operator = readOperatorProxies({ flag: options['egress-proxy'], resolvesNames, environment: process.env });
    if (operator.all.length > 0) outbound.addUpstream((departure, proxy) => (proxy === undefined ? operator.choose(departure) : undefined));
    if (operator.all.some((proxy) => proxy.resolvesNames)) {
      log.warn(
        {},
        'the proxy resolves names: --block-private-ips, --ip-blocklist and the blocking of metadata addresses hold only for addresses in URLs',
      );
    }
    if (options['egress-allow-proxy'] === true)
      outbound.addUpstream((_departure, proxy) => (proxy === undefined ? undefined : readClientProxy(proxy, { resolvesNames })));
    return operator.all;
  },
  serve({ hooks }, { outbound, log }, proxies) {
    hooks.start.tap('proxy', () => {
      for (const { label, resolvesNames } of proxies)
        log.info({ proxy: label, resolves_names: resolvesNames }, 'connections leave by a proxy');
    });
    hooks.examine.tapPromise('proxy', async (report) => {
      for (const proxy of proxies) await examine(proxy, outbound, report);
    });
  },
});

/** Only the operator may leave names to a proxy. */
function readClientProxy(text: string, options: { readonly resolvesNames: boolean }): ProxyServer | undefined {
  return /^\s*socks5h:/i.test(text) ? undefined : readProxy(text, { ...options, namedByOperator: false });
}

const PROBE_MS = 9_000;

/** Whether it accepts connections and the credentials: it is asked for a connection with itself, which it may refuse. */
async function examine(proxy: ProxyServer, outbound: Outbound, report: ReportFinding): Promise<void> {
  const facts = { flag: 'egress-proxy', proxy: proxy.label };
  const probed = { answers: false };
  const probe: Upstream = {
    ...proxy,
    resolvesNames: true,
    async open(socket, destination) {
      await proxy.open(socket, destination).catch((error: unknown) => {
        if (!(error instanceof DialError) || (error.outcome === 'proxy' && !error.message.includes('refuses'))) throw error;
      });
      probed.answers = true;
      // That is all: nothing is sent through it.
      throw new DialError('proxy', 'examined');
    },
  };
  const name = `examine ${proxy.label}`;
  outbound.addUpstream((_departure, asked) => (asked === name ? probe : undefined));
  const options = { maxBytes: 0, timeoutMs: PROBE_MS, namedByOperator: true, proxy: name };
  const failure: unknown = await outbound.fetch(`http://${authorityOf(proxy)}/`, options).catch((error: unknown) => error);
  if (probed.answers) report({ id: 'egress_proxy', state: 'ok', text: `${proxy.label} accepts connections`, facts });
  else
    report({
      id: 'egress_proxy',
      state: 'missing',
      text: `${proxy.label}: ${faultOf(failure)}`,
      fix: 'correct --egress-proxy or the variables HTTPS_PROXY and HTTP_PROXY',
      facts,
    });
}

function faultOf(failure: unknown): string {
  const cause = failure instanceof Error ? failure.cause : undefined;
  return cause instanceof DialError ? cause.message : `it does not respond: ${String(failure)}`;
}
