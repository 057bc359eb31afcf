import { createRedaction } from '@platen/lib-redaction';
import { isLocal, type HttpWire, type LocalWire, type Wire } from './wire.js';

/** A parsed connection string. The key is in closures only: printing or serializing a connection does not reveal it. */
export interface Connection {
  readonly protocol: string;
  readonly model: string;
  /** `name=`; by default the model. */
  readonly name: string;
  readonly vision: boolean;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  /** For a navigator: when to escalate to it. */
  readonly when: string | undefined;
  readonly writer: boolean;
  /** Undefined if the string does not say. */
  readonly escalate: boolean | undefined;
  /** Values of the wire's own options. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  readonly route: HttpRoute | LocalRoute;
  /** The text without the key. */
  redact(text: string): string;
}

export interface HttpRoute {
  readonly wire: HttpWire;
  /** URL without a trailing slash. */
  readonly base: string;
  readonly isOtherHost: boolean;
  /** Header fields with the key; none without a key. */
  authorize(): Readonly<Record<string, string>>;
}

export interface LocalRoute {
  readonly wire: LocalWire;
  readonly path: string;
}

/** The message completes a sentence about the setting, and quotes nothing that may be a key. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

export interface ConnectionContext {
  readonly wires: ReadonlyMap<string, Wire>;
  /** `request`: from a client. `startup`: from the operator, who may name local programs. */
  readonly source: 'startup' | 'request';
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const SHAPE = /^([a-z][a-z\d+.-]*):\/\/(?:([^@/?#]*)@)?([^@/?#]*)(\/[^@?#]*)?(?:\?([^#]*))?$/i;
const MODEL = /^[\w.:/@+-]{1,128}$/;
const NAME = /^[\w.:/@+ -]{1,64}$/;
const MAX_WHEN = 500;

/** Parses one option; undefined if the value is not valid. */
const READERS = {
  model: (text: string) => (MODEL.test(text) ? text : undefined),
  name: (text: string) => (NAME.test(text) ? text : undefined),
  when: (text: string) => (text.length <= MAX_WHEN ? text : undefined),
  writer: readBoolean,
  escalate: readBoolean,
  vision: readBoolean,
  tls: readBoolean,
  temperature: (text: string) => (/^\d(?:\.\d{1,4})?$/.test(text) && Number(text) <= 2 ? Number(text) : undefined),
  max_tokens: (text: string) => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined),
} as const;

type Options = { -readonly [K in keyof typeof READERS]?: ReturnType<(typeof READERS)[K]> };

const EXPECTED: Readonly<Record<keyof typeof READERS, string>> = {
  model: 'at most 128 letters, digits and . _ : / @ + -',
  name: 'at most 64 letters, digits, blanks and . _ : / @ + -',
  when: `at most ${String(MAX_WHEN)} characters`,
  writer: 'true or false',
  escalate: 'true or false',
  vision: 'true or false',
  tls: 'true or false',
  temperature: 'a number from 0 to 2',
  max_tokens: 'an integer from 1 to 9999999',
};

/**
 * Parses `<protocol>://[<API_KEY>@][<host>][/<base-path>]?model=<NAME>[&<options>]`, or the bare name of a provider.
 * @throws ConnectionError
 */
export function parseConnection(text: string, context: ConnectionContext): Connection {
  const [, protocol = text, userinfo = '', host = '', path, query = ''] = SHAPE.exec(text) ?? [];
  const wire = context.wires.get(protocol.toLowerCase());
  if (wire === undefined) throw unknownProvider(text, context.wires);
  const { options, own } = readOptions(query, wire);
  const { model = host === '' ? wire.defaultModel : undefined } = options;
  if (model === undefined) throw new ConnectionError('lacks the option "model"');
  const given = decode(userinfo);
  const key = isLocal(wire) || given !== '' || host !== '' ? given : (context.environment[wire.keyVariable ?? ''] ?? '').trim();
  if (!/^[!-~]*$/.test(key)) throw new ConnectionError('has a key with characters other than visible ASCII');
  const route = isLocal(wire)
    ? toLocalRoute(wire, { source: context.source, isBare: key === '' && host === '', path })
    : toHttpRoute(wire, { host, path, tls: options.tls, key });
  const { name = model, vision = true, temperature, max_tokens: maxTokens, when, writer = false, escalate } = options;
  const facts = { protocol: wire.protocol, model, name, vision, temperature, maxTokens, when, writer, escalate };
  const redact = createRedaction([key])?.text ?? ((logged: string) => logged);
  return Object.freeze({ ...facts, options: own, route, redact });
}

function unknownProvider(text: string, wires: ReadonlyMap<string, Wire>): ConnectionError {
  const names = [...wires.keys()].join(', ') || 'none is enabled';
  if (SHAPE.test(text)) return new ConnectionError(`has an unknown protocol: use one of ${names}`);
  return new ConnectionError(
    'must be <protocol>://[<API_KEY>@][<host>][/<base-path>]?model=<NAME>[&<options>] or the name of a provider ' +
      `(${names}); in a key, percent-encode the characters @ / ? # %`,
  );
}

function readOptions(query: string, { options: more = [] }: Wire): { readonly options: Options; readonly own: Connection['options'] } {
  const options: Record<string, unknown> = {};
  const own: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (more.includes(name)) {
      (own[name] ??= []).push(value);
      continue;
    }
    if (!isOption(name)) {
      // A misplaced key could be the name.
      const shown = /^[a-z_]{1,20}$/.test(name) ? ` "${name}"` : '';
      throw new ConnectionError(`has an unknown option${shown}: the options are ${[...Object.keys(READERS), ...more].join(', ')}`);
    }
    if (name in options) throw new ConnectionError(`has the option "${name}" twice`);
    options[name] = READERS[name](value);
    if (value === '' || options[name] === undefined) throw new ConnectionError(`has an invalid option "${name}": it is ${EXPECTED[name]}`);
  }
  return { options, own };
}

function isOption(name: string): name is keyof typeof READERS {
  return Object.hasOwn(READERS, name);
}

function readBoolean(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function toLocalRoute(
  wire: LocalWire,
  { source, isBare, path }: { readonly source: 'startup' | 'request'; readonly isBare: boolean; readonly path: string | undefined },
): LocalRoute {
  const { protocol } = wire;
  if (source === 'request')
    throw new ConnectionError(`may not use the protocol "${protocol}": only the operator names programs, at startup`);
  if (!isBare || path === undefined || path === '/') {
    throw new ConnectionError(`must name a program by its absolute path, without host and key: ${protocol}:///path/to/program`);
  }
  return { wire, path: decode(path) };
}

interface HttpParts {
  readonly host: string;
  readonly path: string | undefined;
  readonly tls: boolean | undefined;
  readonly key: string;
}

function toHttpRoute(wire: HttpWire, { host, path = wire.basePath, tls, key }: HttpParts): HttpRoute {
  // Otherwise a client could have the operator's key sent unencrypted.
  if (host === '' && tls === false) throw new ConnectionError('has tls=false but no host');
  const place = host === '' ? wire.host : host;
  if (!/^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.test(place) || !URL.canParse(`http://${place}`)) {
    throw new ConnectionError('has an invalid host');
  }
  const isPlain = tls === undefined ? isLoopback(new URL(`http://${place}`).hostname) : !tls;
  const { href } = new URL(`${isPlain ? 'http' : 'https'}://${place}${path}`);
  return {
    wire,
    base: href.replace(/\/+$/, ''),
    isOtherHost: place.toLowerCase() !== wire.host,
    authorize: () => (key === '' ? {} : wire.authorize(key)),
  };
}

function isLoopback(hostname: string): boolean {
  return /^127\.\d+\.\d+\.\d+$/.test(hostname) || hostname === '[::1]';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConnectionError('has a % that begins no percent-encoded character: write it as %25');
  }
}
