import type { BrowserRequirements, BrowserVariant } from '../../../kernel/src/browser/process/contract.js';
import type { DeviceProfile } from '../../../kernel/src/browser/emulation/contract.js';
import type { Lease } from '../../../kernel/src/browser/pool/lease.js';
import { DEFAULT_PROFILE } from '../../../kernel/src/browser/emulation/device-profile.js';
import { type BrowserPool, type BrowserPoolOptions, createBrowserPool } from '../../../kernel/src/browser/pool/pool.js';
import { createEgress } from '../../../kernel/src/egress/index.js';
import { type Logger, silentLogger } from '../../../kernel/src/logger.js';
import { startedBrowsers } from './processes.js';

export interface LeaseOptions {
  readonly variant?: BrowserVariant;
  readonly exclusive?: boolean;
  readonly switches?: readonly string[];
  readonly scaled?: boolean;
  readonly profile?: Partial<DeviceProfile>;
  readonly signal?: AbortSignal;
}

export interface TestPool extends AsyncDisposable {
  readonly pool: BrowserPool;
  lease(options?: LeaseOptions): Promise<Lease>;
  /** Resolves when the pool knows the network service of its first browser. */
  readonly networkFound: Promise<void>;
}

/** A pool with a real egress; disposing it closes both. */
export function openPool(options: Partial<BrowserPoolOptions> = {}): TestPool {
  const egress = createEgress();
  let found: () => void;
  const networkFound = new Promise<void>((resolve) => (found = resolve));
  const log: Logger = {
    ...silentLogger,
    info(fields) {
      if ('pid' in fields && typeof fields.pid === 'number') startedBrowsers.add(fields.pid);
    },
    debug(fields) {
      if ('network_pid' in fields) found();
    },
  };
  const pool = createBrowserPool({ egress, log, capacity: 4, warm: 0, ...options });
  return {
    pool,
    networkFound,
    lease({
      variant = 'shell',
      exclusive = false,
      switches = [],
      scaled = false,
      profile = {},
      signal = new AbortController().signal,
    } = {}) {
      const needs: BrowserRequirements = { variant, exclusive, switches, scaled };
      return pool.open({ needs, profile: { ...DEFAULT_PROFILE, ...profile }, signal });
    },
    async [Symbol.asyncDispose]() {
      await pool.close();
      await egress[Symbol.asyncDispose]();
    },
  };
}
