import { contextKey, type RenderContext } from '@platen/kernel';
import type { ExchangeRecord } from './exchange.js';
import type { ExchangeRecorder } from './keys.js';
import type { ExchangeParams } from './params.js';
import { startRecording, type Recording } from './recording.js';

/** The recorder as its own plugin uses it. */
export interface OwnedRecorder extends ExchangeRecorder {
  /** Begins if a plugin needs the recording. */
  begin(): void;
}

export const ownedRecorderKey = contextKey<OwnedRecorder>('exchanges: recorder');

export function createRecorder(context: RenderContext<ExchangeParams>): OwnedRecorder {
  // An output made of exchanges needs them, but not necessarily their bodies.
  let wanted: { bodies: boolean } | undefined = context.plan.capture.kind === 'network' ? { bodies: false } : undefined;
  let recording: Recording | undefined;
  let record: Promise<ExchangeRecord> | undefined;
  return {
    want({ bodies }) {
      wanted = { bodies: bodies || wanted?.bodies === true };
    },
    begin() {
      if (wanted) recording = startRecording(context, wanted);
    },
    stop: () => (record ??= recording?.stop()),
  };
}
