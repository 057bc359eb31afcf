import { definePlugin, Stage } from '@platen/kernel';
import { USER_PATTERN } from '@platen/lib-credentials';
import type {} from '@platen/server';
import { ADMIN_FLAG, recognizeAdmin } from './recognize-admin.js';
import { createCache, type Cache } from './create-cache.js';
import { EntryStore } from './entry-store.js';
import { describeBrowsers, digestFiles, trackGeneration, takeFingerprint, activeFlagValues } from './fingerprint.js';
import { checkFolder, openFolder } from './open-folder.js';

const GIB = 1024 ** 3;

/** Keeps successful renders on disk, and answers repeated GETs from them. */
export default definePlugin({
  name: 'cache',
  flags: {
    'server-cache': {
      type: ['boolean', 'string'],
      description:
        "Keep results of renders on disk and answer repeated GETs from them. Alone in the user's cache folder, or in the one named.",
      minLength: 1,
      examples: ['/var/cache/platen'],
      'x-tier': 'enterprise',
    },
    'server-cache-size-limit': {
      type: 'integer',
      description: 'Bytes that all kept results may have; past that the oldest go.',
      default: GIB,
      minimum: 0,
      'x-tier': 'enterprise',
    },
    'server-cache-ttl': {
      type: 'integer',
      description: 'Seconds that a kept result stays fresh.',
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
        'Basic credential that purges all cached results: USER:PASSWORD, or @FILE with a line each. May be repeated. Where the server asks for credentials, no other one does.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'USER:PASSWORD, neither with control characters, the password not empty',
    },
  },
  serve({ hooks, kernel, assets, flags: given, flagFragments, digests }, { options, log }) {
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
    let store: EntryStore | undefined;
    let cache: Cache | undefined;
    hooks.check.tapPromise('cache', () => checkFolder(where));
    hooks.start.tapPromise('cache', async () => {
      store = new EntryStore({ folder: await openFolder(where), maxBytes, ttlMs, log });
      await store.start();
      files = await digestFiles(kernel, flags);
      fingerprint = takeFingerprint(kernel, { files, flags });
      const found = await describeBrowsers(flags);
      const browsers = () => new Map([...found, ...kernel.status().started]);
      const generation = trackGeneration(() => ({ fingerprint, digests: digests(), browsers: browsers() }));
      cache = createCache({ store, assets, log, ttlMs, maxBytes, generation });
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
    // Plugins that answer instead of a render do so before it would be kept.
    hooks.beforeRender.tapPromise({ name: 'cache', stage: Stage.late }, async (call) => await cache?.answer(call));
    hooks.purge.tapPromise('cache', async (plan, preconditions) => await cache?.purge(plan, preconditions));
    hooks.stop.tapPromise('cache', async () => await cache?.close());
  },
});
