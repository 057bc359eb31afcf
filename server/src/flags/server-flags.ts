import type { Fragments } from '@platen/schema';
import { LOG_LEVELS } from '../log/create-log.js';

/** Start-up flags of the server and the command line themselves. */
export const SERVER_FLAGS = {
  server: {
    type: 'boolean',
    description: 'Run as an HTTP server.',
    default: false,
    'x-tier': 'pro',
  },
  'server-bind-address': {
    type: 'string',
    description: 'Address to listen on. A path (anything with a slash) is a Unix socket, whose rights follow the umask.',
    default: '127.0.0.1',
    minLength: 1,
    examples: ['0.0.0.0', '/run/platen.sock'],
    'x-synonyms': { host: true, hostname: true, listen: true },
  },
  'server-bind-port': {
    type: 'integer',
    description: 'Port to listen on; 0 takes a free one.',
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
      'Host names of this server, without port. A server on a loopback address refuses requests by another host than these, IP addresses and localhost; one on another address does so where the flag is given.',
    examples: ['render.example.com'],
    'x-expects': 'a host name without scheme and port, such as render.example.com',
  },
  'server-allowed-origins': {
    type: 'array',
    items: { type: 'string', minLength: 1, pattern: '^[a-z][a-z0-9+.-]*://[^\\s/?#@*]+$' },
    minItems: 1,
    description:
      'Origins of other sites whose pages may send requests to this server: SCHEME://HOST[:PORT]. A server on a loopback address refuses those of all others; one on another address does so where this flag or --server-allowed-hosts is given.',
    examples: ['https://app.example.com'],
    'x-expects': 'SCHEME://HOST[:PORT] without a path or slash at its end, such as https://app.example.com',
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
    description: 'Seconds that running renders get to finish after SIGTERM or SIGINT. A second signal ends at once.',
    default: 30,
    minimum: 0,
    maximum: 86_400,
  },
  config: {
    type: 'string',
    description:
      'JSON or YAML file (.yaml, .yml) that sets flags by name: {"server-bind-port": 8080}. Flags and environment variables go before it.',
    minLength: 1,
  },
  plugins: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: 'Enable only these plugins, and what they require. Without it all are enabled that `platen plugins` lists.',
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
  'log-level': {
    type: 'string',
    enum: LOG_LEVELS,
    description:
      'Least severe log lines to write: those of a server go to stdout (info unless said otherwise), those of a single render to stderr (silent unless said otherwise).',
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
