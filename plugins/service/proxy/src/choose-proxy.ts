import { BlockList, isIP } from 'node:net';
import { type Departure, PlatenError } from '@platen/kernel';
import { EXPECTED, type ProxyServer, readProxy } from './proxy-server.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface OperatorOptions {
  /** Value of `--egress-proxy`. */
  readonly flag: string | undefined;
  readonly resolvesNames: boolean;
  readonly environment: Environment;
}

/** The operator's proxies: of the flag, otherwise of the standard variables. */
export interface OperatorProxies {
  /** All of them, each once. */
  readonly all: readonly ProxyServer[];
  choose(departure: Departure): ProxyServer | undefined;
}

/** @throws PlatenError `boot_invalid_flag` if the flag or a variable is not the URL of a proxy */
export function readOperatorProxies({ flag, resolvesNames, environment }: OperatorOptions): OperatorProxies {
  const options = { resolvesNames, namedByOperator: true };
  if (flag === 'none') return { all: [], choose: () => undefined };
  const read = (name: string): ProxyServer | undefined => {
    const text = environment[name.toLowerCase()] ?? environment[name] ?? '';
    if (text.trim() === '') return undefined;
    const proxy = readProxy(text.includes('://') ? text : `http://${text}`, options);
    if (proxy !== undefined) return proxy;
    throw new PlatenError('boot_invalid_flag', `the environment variable ${name} must be ${EXPECTED}; --egress-proxy none ignores it`);
  };
  const given = flag === undefined ? undefined : readProxy(flag, options);
  if (flag !== undefined && given === undefined) throw new PlatenError('boot_invalid_flag', `--egress-proxy must be "none" or ${EXPECTED}`);
  const byScheme = {
    secure: given ?? read('HTTPS_PROXY') ?? read('ALL_PROXY'),
    plain: given ?? read('HTTP_PROXY') ?? read('ALL_PROXY'),
  };
  const isDirect = readExceptions(environment['no_proxy'] ?? environment['NO_PROXY'] ?? '');
  const proxies = [byScheme.secure, byScheme.plain].filter((proxy) => proxy !== undefined);
  return {
    all: [...new Map(proxies.map((proxy) => [proxy.label, proxy])).values()],
    choose: (departure) => {
      const proxy = departure.secure ? byScheme.secure : byScheme.plain;
      return proxy === undefined || isDirect(departure) ? undefined : proxy;
    },
  };
}

type Exception = (departure: Departure) => boolean;

/**
 * `NO_PROXY`: names with their subdomains, addresses and blocks of them (10.0.0.0/8), each with or without a port, separated by commas or
 * blanks; `*`: everything.
 */
export function readExceptions(text: string): Exception {
  const exceptions = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(readException);
  return (departure) => exceptions.some((matches) => matches(departure));
}

function readException(entry: string): Exception {
  if (entry === '*') return () => true;
  const [, block = '', prefix] = /^([\d.a-f:]+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (prefix !== undefined && isIP(block) !== 0 && Number(prefix) <= (isIP(block) === 6 ? 128 : 32)) {
    const list = new BlockList();
    list.addSubnet(block, Number(prefix), isIP(block) === 6 ? 'ipv6' : 'ipv4');
    return ({ host }) => isIP(host) !== 0 && list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
  }
  const [, withPort, port] = isIP(entry) === 6 ? [] : (/^(.+):(\d+)$/.exec(entry) ?? []);
  const name = (withPort ?? entry).replace(/^\[|\]$/g, '').replace(/^\*?\./, '');
  return ({ host, port: asked }) => {
    const plain = host.replace(/\.$/, '');
    return (port === undefined || Number(port) === asked) && (plain === name || (isIP(name) === 0 && plain.endsWith(`.${name}`)));
  };
}
