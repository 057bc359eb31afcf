import { contextKey, definePlugin, type RenderContext, Stage } from '@platen/kernel';
import { type ExchangeRecorder, firstTabKey, networkKey } from './keys.js';
import type { ExchangeRecord } from './exchange.js';
import { NETWORK_PARAMS, type NetworkParams, type Recording, startRecording } from './recording.js';

const ownedRecorderKey = contextKey<OwnedRecorder>('network: recorder');

export type * from './exchange.js';
export type { ExchangeRecorder, RecorderOptions, TakenRecord } from './keys.js';
export type { NetworkParams } from './recording.js';

/** Everything that the page sent and received. */
export default definePlugin({
  name: 'network',
  captures: [{ kind: 'network', spansDocuments: true, recordsLoading: true, combines: 'recording' }],
  params: NETWORK_PARAMS,
  apply({ hooks }) {
    hooks.beforeNavigate.tap({ name: 'network', stage: Stage.first }, (context) => {
      const first = context.get(firstTabKey);
      if (first && context.tabIndex === 0) first.targets = context.page.targets;
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

/** The recorder as its own plugin uses it. */
interface OwnedRecorder extends ExchangeRecorder {
  /** Begins if a plugin needs the recording. */
  begin(): void;
}

function createRecorder(context: RenderContext<NetworkParams>): OwnedRecorder {
  // An output made of exchanges needs them, but not necessarily their bodies.
  const { capture, assets } = context.plan;
  const isCaptured = capture.kind === 'network' || assets.some(({ from }) => from === 'network');
  let wanted: { bodies: boolean } | undefined = isCaptured ? { bodies: false } : undefined;
  let recording: Recording | undefined;
  let record: Promise<ExchangeRecord> | undefined;
  return {
    want({ bodies }) {
      wanted = { bodies: bodies || wanted?.bodies === true };
    },
    begin() {
      if (wanted)
        recording = startRecording(context, { ...wanted, firstTab: context.tabIndex > 0 ? context.get(firstTabKey)?.targets : undefined });
    },
    stop: () => (record ??= recording?.stop()),
    take: () => recording?.take(),
    waitForIdle: async (options) => recording?.waitForIdle(options),
    requests: () => recording?.requests() ?? 0,
  };
}
