import { definePlugin, Stage } from '@platen/kernel';
import { exchangesKey } from './keys.js';
import { EXCHANGE_PARAMS } from './params.js';
import { createRecorder, ownedRecorderKey } from './recorder.js';

export type * from './exchange.js';
export type { ExchangeRecorder, RecorderOptions } from './keys.js';

/** Everything that the page sent and received. */
export default definePlugin({
  name: 'exchanges',
  captures: [{ kind: 'exchanges', spansDocuments: true }],
  params: EXCHANGE_PARAMS,
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'exchanges', stage: Stage.first }, (context) => {
      const recorder = createRecorder(context);
      context.set(ownedRecorderKey, recorder);
      context.set(exchangesKey, recorder);
    });
    // After all that others do with the page before its target is loaded, which is none of the target's exchanges.
    hooks.beforeNavigate.tap({ name: 'exchanges', stage: Stage.last }, (context) => {
      context.get(ownedRecorderKey)?.begin();
    });
    hooks.capture.for('exchanges').tapPromise('exchanges', async (context) => context.get(exchangesKey)?.stop());
  },
});
