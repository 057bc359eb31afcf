import { silentLogger } from '@platen/kernel';
import { addressFault, isSamePlace, toBindAddress, type BindAddress } from '../http/bind.js';
import { createStatus } from '../http/status-route.js';
import { createServerHooks, type ExtraListener } from '../service/hooks.js';
import { createServerApi } from '../service/server-api.js';
import type { Boot } from './boot.js';
import { UsageError } from './usage-error.js';

/**
 * Runs the parts of a server's start that have no side effects: plugins boot and check their flags. Nothing is written, fetched, bound or
 * run. Throws the errors that the start would throw.
 */
export async function checkStart({ createKernel, flags }: Pick<Boot, 'createKernel' | 'flags'>): Promise<void> {
  const kernel = createKernel(silentLogger);
  try {
    const hooks = createServerHooks();
    const listeners: BindAddress[] = [];
    const listen = ({ address: text, port }: Pick<ExtraListener, 'address' | 'port'>): Promise<string> => {
      const address = toBindAddress(text, port);
      const taken = listeners.some((other) => isSamePlace(other, address)) ? 'another listener of this server has that place' : undefined;
      const fault = addressFault(address) ?? taken;
      if (fault !== undefined) return Promise.reject(new UsageError(`cannot listen on ${text}: ${fault}`));
      listeners.push(address);
      return Promise.resolve(text);
    };
    kernel.serve(
      createServerApi({
        hooks,
        kernel,
        flags,
        store: { find: () => Promise.resolve(undefined) },
        status: createStatus({ kernel, hooks, draining: () => false }),
        openEndpoints: () => [],
        listen,
      }),
    );
    const { 'server-bind-address': address = '127.0.0.1', 'server-bind-port': port = 3000 } = flags;
    // Binding shows whether the address belongs to this machine and is free.
    await listen({ address: String(address), port: Number(port) });
    await hooks.check.promise();
  } finally {
    await kernel.close(0);
  }
}
