import { definePlugin, type Logger, type ServerApi, Stage } from '@platen/kernel';
import { decodeBasic, parseUser, readCredential, reloadKeyring, USER_PATTERN } from '@platen/lib-credentials';
import type { ResultStore, ResultStoreOptions } from '@platen/server';
import { type Cache, createCache } from './create-cache.js';
import { EntryStore } from './entry-store.js';
import { activeFlagValues, describeBrowsers, digestFiles, takeFingerprint, trackGeneration } from './fingerprint.js';
import { checkFolder, openFolder } from './open-folder.js';

const ADMIN_FLAG = 'server-admin-auth';

const GIB = 1024 ** 3;

/** Caches successful renders on disk and serves repeated GETs from the cache. */
export default definePlugin({
  name: 'cache',
  flags: {
    'server-cache': {
      type: ['boolean', 'string'],
      description:
        "Cache render results on disk and serve repeated GETs from the cache. true: in the user's cache directory; or a directory.",
      minLength: 1,
      examples: ['/var/cache/platen'],
      'x-tier': 'enterprise',
    },
    'server-cache-size-limit': {
      type: 'integer',
      description: 'Maximum size of the cache in bytes. The oldest entries are evicted first.',
      default: GIB,
      minimum: 0,
      'x-tier': 'enterprise',
    },
    'server-cache-ttl': {
      type: 'integer',
      description: 'Seconds until a cached result expires.',
      default: 3600,
      minimum: 1,
      maximum: 31_536_000,
      'x-tier': 'enterprise',
    },
    [ADMIN_FLAG]: {
      type: 'array',
      items: { type: 'string', minLength: 1, pattern: USER_PATTERN },
      minItems: 1,
      description:
        'Basic credential that may purge the whole cache: USER:PASSWORD, or @FILE with one per line. May be repeated. Required for that if the server requires credentials.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'USER:PASSWORD without control characters and with a non-empty password',
    },
  },
  serve({ hooks, kernel, assets, flags: given, flagFragments, digests, openResultStore }, { options, log }) {
    const where = options['server-cache'];
    const admins = options[ADMIN_FLAG] ?? [];
    if (where === undefined || where === false) {
      if (admins.length > 0) log.warn({}, `--${ADMIN_FLAG} has no effect without --server-cache`);
      return;
    }
    recognizeAdmin(hooks, { admins, log });
    const maxBytes = options['server-cache-size-limit'] ?? GIB;
    const ttlMs = (options['server-cache-ttl'] ?? 3600) * 1000;
    let flags = given;
    let files: readonly unknown[] = [];
    let fingerprint = '';
    let store: ResultStore | undefined;
    let cache: Cache | undefined;
    hooks.check.tapPromise('cache', () => checkFolder(where));
    hooks.start.tapPromise('cache', async () => {
      // A directory that is named takes precedence over a shared store.
      const shared = where === true ? await openResultStore({ maxBytes, ttlMs }) : undefined;
      store = shared ?? (await openEntryStore(where, { maxBytes, ttlMs, log }));
      files = await digestFiles(kernel, flags);
      fingerprint = takeFingerprint(kernel, { files, flags });
      const found = await describeBrowsers(flags);
      const browsers = () => new Map([...found, ...kernel.status().started]);
      const generation = trackGeneration(() => ({ fingerprint, digests: digests(), browsers: browsers() }));
      cache = createCache({ store, assets, log, ttlMs, maxBytes, generation, keys: kernel.schema.keys });
    });
    hooks.reload.tap('cache', (values, commit) => {
      const next = activeFlagValues(flags, values, flagFragments);
      const nextFingerprint = takeFingerprint(kernel, { files, flags: next });
      commit(() => {
        flags = next;
        fingerprint = nextFingerprint;
      });
    });
    hooks.status.tap('cache', (report) => ({
      ...report,
      cache: { entries: store?.entries ?? 0, bytes: store?.bytes ?? 0, limit_bytes: maxBytes },
    }));
    // Plugins that respond instead of a render run first: their responses are not cached.
    hooks.beforeRender.tapPromise({ name: 'cache', stage: Stage.late }, async (call) => await cache?.answer(call));
    hooks.purge.tapPromise('cache', async (plan, preconditions) => await cache?.purge(plan, preconditions));
    hooks.stop.tapPromise('cache', async () => await cache?.close());
  },
});

async function openEntryStore(where: true | string, options: ResultStoreOptions & { readonly log: Logger }): Promise<ResultStore> {
  const store = new EntryStore({ ...options, folder: await openFolder(where) });
  await store.start();
  return store;
}

interface AdminOptions {
  /** `USER:PASSWORD` values at startup; a reload can replace them. */
  readonly admins: readonly string[];
  readonly log: Logger;
}

/**
 * Authorizes `DELETE /` with a credential of `--server-admin-auth`, before other authentication plugins, and permits it to purge
 * everything. Leaves other requests and other credentials to those plugins.
 */
function recognizeAdmin(hooks: ServerApi['hooks'], { admins: given, log }: AdminOptions): void {
  const keyring = reloadKeyring(hooks, { name: 'cache', flag: ADMIN_FLAG, log, given, parse: parseUser });
  hooks.authorize.tap({ name: 'cache', stage: Stage.first }, ({ method, path, headers }) => {
    if (method !== 'DELETE' || path !== '/' || keyring.isEmpty) return undefined;
    const credential = readCredential(headers.authorization);
    const user = credential?.scheme === 'basic' ? decodeBasic(credential.text) : undefined;
    const identity = user === undefined ? undefined : keyring.identify(user);
    return identity === undefined ? undefined : { identity, mayPurgeAll: true };
  });
}
