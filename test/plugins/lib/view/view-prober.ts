import { definePlugin } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import {
  createRefTable,
  drawLabels,
  type Snapshot,
  type SnapshotOptions,
  type ViewCapture,
  type ViewOptions,
  writeSnapshot,
} from '@platen/lib-view';
import view from '@platen/plugin-view';
import { viewOptions } from '@platen/plugin-view/keys';
import viewport from '../../capture/view-plugin.js';

export interface Probed extends Snapshot {
  readonly view: ViewCapture;
  readonly image: Buffer | undefined;
}

export type ProbeOptions = ViewOptions & Partial<SnapshotOptions>;

export interface ViewProber extends AsyncDisposable {
  probe(params: Readonly<Record<string, unknown>>, options?: ProbeOptions): Promise<Probed>;
}

/** Renders pages as views. All views of a prober share one table of refs. */
export function openViewProber(): ViewProber {
  const refs = createRefTable();
  let asked: ProbeOptions = {};
  let probed: Probed | undefined;
  const probe = definePlugin({
    name: 'probe',
    requires: ['view'],
    outputs: [{ type: 'probe', from: 'view', contentType: 'text/plain', extension: 'txt' }],
    apply({ hooks }) {
      hooks.beforeOpen.tap('probe', (context) => {
        context.set(viewOptions, { refs, ...asked });
      });
      hooks.encode.for('probe').tapPromise('probe', async (capture, { signal }) => {
        const snapshot = await writeSnapshot(capture, { maxTokens: 24_000, ...asked });
        probed = { ...snapshot, view: capture, image: await drawLabels(capture, snapshot.boxes, { signal, masks: snapshot.masks }) };
        return { contentType: 'text/plain', extension: 'txt', body: Buffer.from(snapshot.text) };
      });
    },
  });
  const host: TestKernel = createTestKernel({ plugins: [view, viewport, probe] });
  return {
    async probe(params, options = {}) {
      asked = options;
      await host.render({ output_type: 'probe', ...params });
      if (probed === undefined) throw new Error('nothing was encoded');
      return probed;
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}
