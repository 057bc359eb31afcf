import type { KeyObject } from 'node:crypto';
import { OutboundError, type Outbound } from '@platen/kernel';
import { readPrivateKey } from './read-private-key.js';
import { WrongSetting } from './wrong-setting.js';

/** Private keys by URL. */
interface KeyStore {
  /** The key, fetched if it is not cached or older than ten minutes. Throws `WrongSetting`. */
  load(url: URL): Promise<KeyObject>;
}

const LIFETIME_MS = 10 * 60_000;
const MAX_KEYS = 100;
const MAX_BYTES = 16 * 1024;
const FETCH_TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 3;

interface Entry {
  readonly key: Promise<KeyObject>;
  readonly staleAt: number;
}

/** Concurrent renders share one fetch. Errors are not cached, and while a host is unreachable its cached key stays in use. */
export function createKeyStore(outbound: Pick<Outbound, 'fetch'>, now: () => number = Date.now): KeyStore {
  const entries = new Map<string, Entry>();
  return {
    load({ href }) {
      const known = entries.get(href);
      if (known !== undefined && known.staleAt > now()) return known.key;
      const fetched = fetchKey(href, outbound).catch((error: unknown) => {
        if (known !== undefined && error instanceof WrongSetting && error.cause instanceof OutboundError) return known.key;
        throw error;
      });
      const entry = { key: fetched, staleAt: now() + LIFETIME_MS };
      entries.delete(href);
      entries.set(href, entry);
      // Evicts the oldest key.
      for (const oldest of [...entries.keys()].slice(0, Math.max(0, entries.size - MAX_KEYS))) entries.delete(oldest);
      entry.key.catch(() => {
        if (entries.get(href) === entry) entries.delete(href);
      });
      return entry.key;
    },
  };
}

async function fetchKey(href: string, outbound: Pick<Outbound, 'fetch'>): Promise<KeyObject> {
  const { host } = new URL(href);
  const answer = await outbound
    .fetch(href, {
      headers: { accept: 'application/jwk+json, application/x-pem-file, application/json, text/plain, */*' },
      maxBytes: MAX_BYTES,
      timeoutMs: FETCH_TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
      wantsBody: (status) => status === 200,
    })
    .catch((cause: unknown) => {
      throw new WrongSetting(`has a KEY that could not be fetched from ${host}`, { cause });
    });
  if (answer.status !== 200) throw new WrongSetting(`has a KEY that could not be fetched: ${host} responded with ${String(answer.status)}`);
  return readPrivateKey(answer.body.toString('utf8'));
}
