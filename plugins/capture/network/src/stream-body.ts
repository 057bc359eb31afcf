import type { ProtocolSession } from '@platen/kernel';
import type { BodyRecording } from './body-recording.js';

/** A body that is recorded while the page loads it. */
export interface BodyStream {
  /** Resolves when it has ended: `streamed` if it was recorded from its first byte on. */
  readonly done: Promise<Outcome>;
  /** Ignores further data. */
  cut(): void;
}

export type Outcome = 'streamed' | 'refused';

interface Open {
  readonly body: BodyRecording;
  /** Data that came before the already buffered part; null once that part is recorded. */
  early: Buffer[] | null;
  finished: boolean;
  readonly settle: (outcome: Outcome) => void;
}

/** Streams of one session, which must not be the session that buffers bodies: the first part of them would be lost. */
export interface BodyStreamer {
  stream(requestId: string, body: BodyRecording): BodyStream;
}

export function createBodyStreamer(session: ProtocolSession): BodyStreamer {
  const streams = new Map<string, Open>();
  const close = (requestId: string, outcome: Outcome): void => {
    streams.get(requestId)?.settle(outcome);
    streams.delete(requestId);
  };
  const begin = async (requestId: string, open: Open): Promise<void> => {
    const { bufferedData } = await session.send('Network.streamResourceContent', { requestId });
    for (const bytes of [Buffer.from(bufferedData, 'base64'), ...(open.early ?? [])]) open.body.write(bytes);
    open.early = null;
    if (open.finished) close(requestId, 'streamed');
  };
  listen(session, streams, (requestId) => {
    close(requestId, 'streamed');
  });
  return {
    stream(requestId, body) {
      const done = new Promise<Outcome>((settle) => {
        const open: Open = { body, early: [], finished: false, settle };
        streams.set(requestId, open);
        // It has ended already, or its target has.
        begin(requestId, open).catch(() => {
          close(requestId, 'refused');
        });
      });
      return {
        done,
        cut() {
          close(requestId, streams.get(requestId)?.early === null ? 'streamed' : 'refused');
        },
      };
    },
  };
}

function listen(session: ProtocolSession, streams: ReadonlyMap<string, Open>, ended: (requestId: string) => void): void {
  const end = ({ requestId }: { readonly requestId: string }): void => {
    const open = streams.get(requestId);
    if (!open) return;
    open.finished = true;
    if (open.early === null) ended(requestId);
  };
  session.on('Network.dataReceived', ({ requestId, data }) => {
    const open = streams.get(requestId);
    if (!open || data === undefined) return;
    const bytes = Buffer.from(data, 'base64');
    if (open.early) open.early.push(bytes);
    else open.body.write(bytes);
  });
  session.on('Network.loadingFinished', end);
  session.on('Network.loadingFailed', end);
}
