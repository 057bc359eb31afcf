import type { Fragment, Fragments } from '@platen/kernel';

/** Limited because a restore loads a document for each origin. */
const MAX_ORIGINS = 200;

export const DEFAULT_LIMIT = 67_108_864;

const text = { type: 'string' } as const satisfies Fragment;
const flag = { type: 'boolean' } as const satisfies Fragment;
const names = { type: 'array', items: text } as const satisfies Fragment;

const namedValues = {
  type: 'array',
  items: { type: 'object', required: ['name', 'value'], properties: { name: text, value: text } },
} as const satisfies Fragment;

const cookies = {
  type: 'array',
  maxItems: 10_000,
  items: {
    type: 'object',
    required: ['name', 'value'],
    properties: {
      name: text,
      value: text,
      domain: text,
      path: text,
      url: text,
      expires: { type: 'number' },
      httpOnly: flag,
      secure: flag,
      sameSite: { type: 'string', enum: ['Strict', 'Lax', 'None'] },
      partitionKey: text,
      _crHasCrossSiteAncestor: flag,
    },
  },
} as const satisfies Fragment;

const indexedDB = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'version', 'stores'],
    properties: {
      name: text,
      version: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      stores: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: text,
            keyPath: text,
            keyPathArray: names,
            autoIncrement: flag,
            indexes: {
              type: 'array',
              items: {
                type: 'object',
                required: ['name'],
                properties: { name: text, keyPath: text, keyPathArray: names, unique: flag, multiEntry: flag },
              },
            },
            records: { type: 'array', items: { type: 'object' } },
          },
        },
      },
    },
  },
} as const satisfies Fragment;

const cacheStorage = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'entries'],
    properties: {
      name: text,
      entries: {
        type: 'array',
        items: {
          type: 'object',
          required: ['request', 'response'],
          properties: {
            request: { type: 'object', required: ['url'], properties: { method: text, url: text, headers: namedValues } },
            response: {
              type: 'object',
              properties: {
                status: { type: 'integer', minimum: 0, maximum: 599 },
                statusText: text,
                type: text,
                url: text,
                headers: namedValues,
              },
            },
            bodyBase64: text,
          },
        },
      },
    },
  },
} as const satisfies Fragment;

/** The storage state in requests and in the file of `--storage`. Unknown names are allowed. */
export const STATE_PROPERTIES = {
  cookies,
  origins: {
    type: 'array',
    maxItems: MAX_ORIGINS,
    items: {
      type: 'object',
      required: ['origin'],
      properties: { origin: text, localStorage: namedValues, sessionStorage: namedValues, indexedDB, cacheStorage },
    },
  },
} as const satisfies Fragments;

export const PARAMS = {
  with_storage: {
    type: ['boolean', 'object'],
    'x-large': true,
    'x-uncached': true,
    description:
      "Initial browser storage. An object: a Playwright storage state (cookies, localStorage, sessionStorage, IndexedDB, Cache Storage), not in a query string; true: the server's default, or empty storage without one; false: empty storage. With an object or true, the final storage is returned as an additional asset. If omitted: the server's default, and nothing is returned.",
    properties: STATE_PROPERTIES,
    examples: [
      true,
      {
        cookies: [{ name: 'session', value: '8f14e45f', domain: 'example.com', path: '/' }],
        origins: [{ origin: 'https://example.com', localStorage: [{ name: 'theme', value: 'dark' }] }],
      },
    ],
    'x-synonyms': { storage_state: true },
    'x-search': ['login', 'session', 'save cookies'],
  },
  storage_limit: {
    type: 'integer',
    format: 'uint64',
    description:
      'Maximum size of with_storage and of the storage file, in bytes of JSON. The file is filled in the order localStorage, sessionStorage, IndexedDB, Cache Storage; items beyond the limit are omitted.',
    default: DEFAULT_LIMIT,
    examples: [1_048_576],
  },
} as const satisfies Fragments;

export const FLAGS = {
  storage: {
    type: 'string',
    description: 'JSON file with a storage state: the default for renders without a state in with_storage.',
    minLength: 1,
    examples: ['/etc/platen/storage.json'],
  },
} as const satisfies Fragments;
