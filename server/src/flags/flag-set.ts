import { KERNEL_FLAGS, type LoadedPlugin, PlatenError } from '@platen/kernel';
import { checkFlags, type Fragment, type Fragments } from '@platen/schema';
import { LOG_LEVELS } from '../log/create-log.js';

/** Startup flags of the server and the command line themselves. */
const SERVER_FLAGS = {
  server: {
    type: 'boolean',
    description: 'Run as an HTTP server.',
    default: false,
    'x-tier': 'pro',
  },
  'server-bind-address': {
    type: 'string',
    description: 'Address to listen on. A path (anything with a slash) is a Unix socket, whose permissions follow the umask.',
    default: '127.0.0.1',
    minLength: 1,
    examples: ['0.0.0.0', '/run/platen.sock'],
    'x-synonyms': { host: true, hostname: true, listen: true },
  },
  'server-bind-port': {
    type: 'integer',
    description: 'Port to listen on; 0: any free port.',
    default: 3000,
    minimum: 0,
    maximum: 65_535,
    'x-synonyms': { port: true },
  },
  'server-allowed-hosts': {
    type: 'array',
    items: { type: 'string', minLength: 1, pattern: String.raw`^[^\s/:@*[\]]+$` },
    minItems: 1,
    description:
      'Host names of this server, without port. A server on a loopback address refuses requests for any other name, except IP addresses and localhost; on another address it does so only if this flag is given.',
    examples: ['render.example.com'],
    'x-expects': 'a host name without scheme and port, such as render.example.com',
  },
  'server-allowed-origins': {
    type: 'array',
    items: { type: 'string', minLength: 1, pattern: '^[a-z][a-z0-9+.-]*://[^\\s/?#@*]+$' },
    minItems: 1,
    description:
      'Origins of other sites whose pages may send requests to this server and read its responses: SCHEME://HOST[:PORT]. A server on a loopback address refuses requests from pages of all other sites; on another address it does so only if this flag or --server-allowed-hosts is given.',
    examples: ['https://app.example.com'],
    'x-expects': 'SCHEME://HOST[:PORT] without a path or trailing slash, such as https://app.example.com',
  },
  'server-public-url': {
    type: 'string',
    pattern: String.raw`^https?://[^\s/?#@]+(?:/[^\s?#]*)?$`,
    description:
      'Address at which clients reach this server, which may have a path: links to assets and jobs are then absolute, in headers, job documents and webhooks. Default: they are paths, such as /assets?id=...',
    examples: ['https://render.example.com', 'https://example.com/render'],
    'x-expects': 'an http or https URL without user, password, query and fragment',
  },
  'server-additional-asset-expiration': {
    type: 'integer',
    description: 'Lifetime in seconds of additional assets, from the end of the render that made them.',
    default: 3600,
    minimum: 1,
    maximum: 31_536_000,
  },
  'server-grace-period': {
    type: 'number',
    description: 'Seconds that running renders get to finish after SIGTERM or SIGINT. A second signal ends the server immediately.',
    default: 30,
    minimum: 0,
    maximum: 86_400,
  },
  config: {
    type: 'string',
    description:
      'JSON or YAML file (.yaml, .yml) that sets flags by name: {"server-bind-port": 8080}. Flags and environment variables take precedence.',
    minLength: 1,
  },
  plugins: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: 'Enable only these plugins and those that they require. Default: all that `platen plugins` lists.',
  },
  'disable-plugins': {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: 'Disable these plugins.',
  },
  plugin: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: "Add a plugin: an installed package's name, or the path of its folder.",
    examples: ['./my-plugin'],
  },
  restart: {
    type: 'boolean',
    description: 'Begin an interrupted crawl anew. By default, the same command goes on where it was interrupted.',
    default: false,
    'x-sources': ['flags'],
  },
  'log-level': {
    type: 'string',
    enum: LOG_LEVELS,
    description: 'Minimum severity of log messages. A server logs to stdout (default: info), a single render to stderr (default: silent).',
  },
  help: {
    type: 'boolean',
    description: 'Show help.',
    default: false,
    'x-sources': ['flags'],
  },
  version: {
    type: 'boolean',
    description: 'Show the version.',
    default: false,
    'x-sources': ['flags'],
  },
} as const satisfies Fragments;

/** One startup flag: its fragment, and the plugin (or `server`, `browser`) that owns it. */
export interface Flag {
  readonly name: string;
  readonly owner: string;
  readonly fragment: Fragment;
}

export type FlagSet = ReadonlyMap<string, Flag>;

/** The flags that exist before plugins are loaded. */
export const BASE_FLAGS: FlagSet = new Map(
  [...toFlags('server', SERVER_FLAGS), ...toFlags('browser', KERNEL_FLAGS)].map((flag) => [flag.name, flag]),
);

/** The base flags and the plugins' flags; throws `boot_invalid_flag` if two owners have the same name, and for a wrong fragment. */
export function collectFlags(plugins: readonly LoadedPlugin[]): FlagSet {
  const flags = new Map(BASE_FLAGS);
  for (const { definition, isChecked = false } of plugins) if (!isChecked) assertFlags(definition);
  for (const flag of plugins.flatMap(({ definition }) => toFlags(definition.name, definition.flags ?? {}))) {
    const earlier = flags.get(flag.name);
    if (earlier !== undefined)
      throw new PlatenError('boot_invalid_flag', `"${earlier.owner}" and "${flag.owner}" both declare the flag --${flag.name}`);
    if (!/^[a-z][a-z0-9-]*$/.test(flag.name))
      throw new PlatenError(
        'boot_invalid_flag',
        `plugin "${flag.owner}" has a flag "${flag.name}": use lower-case letters, digits and dashes`,
      );
    flags.set(flag.name, flag);
  }
  return flags;
}

function assertFlags({ name, flags = {} }: LoadedPlugin['definition']): void {
  try {
    checkFlags(flags, name);
  } catch (cause) {
    throw new PlatenError('boot_invalid_flag', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function toFlags(owner: string, fragments: Fragments): readonly Flag[] {
  return Object.entries(fragments).map(([name, fragment]) => ({ name, owner, fragment }));
}

/** `server-bind-port` is `PLATEN_SERVER_BIND_PORT`. */
export function environmentName(flag: string): string {
  return `PLATEN_${flag.replaceAll('-', '_').toUpperCase()}`;
}

/** Whether the flag is valid on the command line only: `--help` in the environment would have no effect. */
export function isCliOnly({ fragment }: Flag): boolean {
  return fragment['x-sources']?.join() === 'flags';
}

/** The fragment of an on/off flag. */
export const SWITCH: Fragment = { type: 'boolean' };

/** Whether the flag takes no value on a command line: `--server`. */
export function isSwitch({ type }: Fragment): boolean {
  return type === 'boolean';
}

export function isList({ type }: Fragment): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}
