import { enableNetwork, PlatenError, type ProtocolSession, type RenderContext, type TargetSession } from '@platen/kernel';
import { createSpool } from '@platen/lib-spool';
import type { Readable } from 'node:stream';
import { EVENTS } from './events.js';
import { logLine } from './log-line.js';

export interface NetworkLog {
  /** Ends the recording. */
  stop(): void;
  open(): Readable;
}

/** Writes the events of every target to a temporary file as they arrive. The file is deleted at the end of the render. */
export function recordLog({ page, onRenderEnd }: RenderContext): NetworkLog {
  const spool = createSpool();
  onRenderEnd(async () => {
    await spool[Symbol.asyncDispose]();
  });
  const writer = spool.openWriter();
  const started = performance.now();
  const stops: (() => void)[] = [];
  let stopped = false;
  let lost = 0;
  const write = (target: TargetSession, method: string, params: unknown): void => {
    const line = logLine({ t: performance.now() - started, wall: new Date(), target, method, params });
    if (lost > 0 || !writer.write(Buffer.from(line))) lost += 1;
  };
  page.targets.configure((target) => {
    if (stopped) return [];
    stops.push(
      ...EVENTS.map((event) =>
        target.on(event, (params) => {
          write(target, event, params);
        }),
      ),
    );
    return enable(target);
  });
  return {
    stop() {
      stopped = true;
      for (const stop of stops) stop();
      writer.end();
      if (lost > 0) throw new PlatenError('encode_failed', `the disk did not keep up: ${String(lost)} events are lost`);
    },
    open: () => writer.open(),
  };
}

function enable(target: TargetSession): readonly Promise<unknown>[] {
  const network = enableNetwork(target);
  return target.kind === 'page' || target.kind === 'iframe' ? [network, ...enableDocuments(target)] : [network];
}

function enableDocuments({ send }: ProtocolSession): readonly Promise<unknown>[] {
  return [send('Page.enable'), send('Page.setLifecycleEventsEnabled', { enabled: true }), send('Security.enable')];
}
