import { PlatenError, type Logger, type ServerApi } from '@platen/kernel';
import type {} from '@platen/server';
import { METRICS_PATH } from './route.js';

export const DEFAULT_ADDRESS = '127.0.0.1';
/** Where exporters of programs usually stand (OpenTelemetry's default). */
export const DEFAULT_PORT = 9464;

export interface ListenerOptions {
  readonly address: string | undefined;
  readonly port: number | undefined;
  readonly log: Logger;
}

/** Takes /metrics away from the main listener. Ends the start, naming the flags, where the address cannot be had. */
export async function openListener(
  { listen }: Pick<ServerApi, 'listen'>,
  { address = DEFAULT_ADDRESS, port = DEFAULT_PORT, log }: ListenerOptions,
): Promise<void> {
  const url = await listen({ address, port, paths: [METRICS_PATH] }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message.replaceAll('--server-bind-', '--server-prometheus-bind-') : String(error);
    throw new PlatenError('boot_invalid_flag', `/metrics: ${why}`, { cause: error });
  });
  log.info({ url: url.startsWith('unix:') ? url : `${url}${METRICS_PATH}` }, 'metrics are served by a listener of their own');
}
