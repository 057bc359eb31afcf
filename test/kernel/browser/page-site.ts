import type { Tab } from '../../../kernel/src/browser/page/tab.js';
import type { Lease } from '../../../kernel/src/browser/pool/lease.js';
import { openSite, type Site } from '../../helpers/site.js';
import { type LeaseOptions, openPool } from './open-pool.js';

export interface PageSite extends AsyncDisposable {
  readonly site: Site;
  /** Runs with a fresh page, which is given back in the end. */
  withPage<T>(run: (tab: Tab, lease: Lease) => Promise<T>, options?: LeaseOptions): Promise<T>;
}

/** A site, and a pool of browsers that visit it. */
export async function openPageSite(routes: Parameters<typeof openSite>[0]): Promise<PageSite> {
  const site = await openSite(routes);
  const pool = openPool();
  return {
    site,
    async withPage(run, options = {}) {
      await using lease = await pool.lease(options);
      return await run(lease.tab, lease);
    },
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}
