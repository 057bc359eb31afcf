import { contextKey, definePlugin, Stage } from '@platen/kernel';
import { NETWORK_LOG_PARAMS } from './params.js';
import { recordLog, type NetworkLog } from './record-log.js';

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
