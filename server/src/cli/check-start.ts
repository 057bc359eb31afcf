import { silentLogger } from '@platen/kernel';
import { addressFault, toBindAddress } from '../http/bind.js';
import { createStatus } from '../http/status-route.js';
import { createServerHooks } from '../service/hooks.js';
import { createServerApi } from '../service/server-api.js';
import type { Boot } from './boot.js';
import { UsageError } from './usage-error.js';

/**
 * Does of a server's start what has no effect: plugins are booted and judge their flags. Nothing is written, fetched, bound or run. Throws
 * what the start would throw.
 */
export async function checkStart({ createKernel, flags }: Pick<Boot, 'createKernel' | 'flags'>): Promise<void> {
  const kernel = createKernel(silentLogger);
  try {
    const hooks = createServerHooks();
    kernel.serve(
      createServerApi({
        hooks,
        kernel,
        flags,
        store: { find: () => Promise.resolve(undefined) },
        status: createStatus({ kernel, hooks, draining: () => false }),
        openEndpoints: () => [],
        listen: ({ address, port }) => judgeAddress(address, port),
      }),
    );
    const { 'server-bind-address': address = '127.0.0.1', 'server-bind-port': port = 3000 } = flags;
    await judgeAddress(String(address), Number(port));
    await hooks.check.promise();
  } finally {
    await kernel.close(0);
  }
}

/** Whether it is this machine's, and free, shows when it is bound. */
function judgeAddress(address: string, port: number): Promise<string> {
  const fault = addressFault(toBindAddress(address, port));
  return fault === undefined ? Promise.resolve(address) : Promise.reject(new UsageError(`cannot listen on ${address}: ${fault}`));
}
