import { definePlugin, Stage } from '@platen/kernel';
import { networkKey } from './keys.js';
import { EXCHANGE_PARAMS } from './params.js';
import { createRecorder, ownedRecorderKey } from './recorder.js';

export type * from './exchange.js';
export type { ExchangeRecorder, RecorderOptions } from './keys.js';

/** Everything that the page sent and received. */
export default definePlugin({
  name: 'network',
  captures: [{ kind: 'network', spansDocuments: true }],
  params: EXCHANGE_PARAMS,
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'network', stage: Stage.first }, (context) => {
      const recorder = createRecorder(context);
      context.set(ownedRecorderKey, recorder);
      context.set(networkKey, recorder);
    });
    // After everything that other plugins do with the page before the URL is loaded, because that is not part of the URL's exchanges.
    hooks.beforeNavigate.tap({ name: 'network', stage: Stage.last }, (context) => {
      context.get(ownedRecorderKey)?.begin();
    });
    hooks.capture.for('network').tapPromise('network', async (context) => context.get(networkKey)?.stop());
  },
});
