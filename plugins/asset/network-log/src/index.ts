import { contextKey, definePlugin, type Fragments, Stage } from '@platen/kernel';
import { type NetworkLog, recordLog } from './record-log.js';

const NETWORK_LOG_PARAMS = {
  with_network_log: {
    type: 'boolean',
    description:
      "Return the DevTools protocol's Network, Page and Security events of the render as an additional asset, one line of JSON per event.",
    default: false,
  },
} as const satisfies Fragments;

const KEY = 'with_network_log';
const logKey = contextKey<NetworkLog>('network log');

/** Records the network events of the DevTools protocol unchanged. */
export default definePlugin({
  name: 'network-log',
  assets: [{ key: KEY, name: 'network_log' }],
  params: NETWORK_LOG_PARAMS,
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'network-log', for: { asset: KEY } }, (context) => {
      context.set(logKey, recordLog(context));
    });
    hooks.additionalAssets.tapPromise({ name: 'network-log', stage: Stage.early, for: { asset: KEY } }, async (context, assets) => {
      const log = context.get(logKey);
      if (!log) return;
      log.stop();
      await assets.add({
        name: 'network_log',
        contentType: 'application/x-ndjson',
        extension: 'network.jsonl',
        body: () => log.open(),
      });
    });
  },
});
