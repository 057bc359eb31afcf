import { createMemoryStore, definePlugin, silentLogger, type Plugin, type TargetResponse } from '@platen/kernel';
import { createDeadline } from '../../kernel/src/deadline.js';
import { createHooks } from '../../kernel/src/hooks.js';
import type { Lease } from '../../kernel/src/browser/pool/lease.js';
import { runPipeline } from '../../kernel/src/pipeline.js';
import { planRender } from '../../kernel/src/plan.js';
import { createRegistry } from '../../kernel/src/registry.js';
import { createPluginHooks } from '../../kernel/src/plugin-hooks.js';

/** A pipeline whose browser only takes notes: every test reads what happened, in order. */
export function rig(...plugins: Plugin[]) {
  const events: string[] = [];
  const probe = definePlugin({
    name: 'probe',
    captures: [{ kind: 'probe' }, { kind: 'stream', streaming: true, spansDocuments: true }],
    outputs: [
      { type: 'png', from: 'probe', contentType: 'image/png', extension: 'png' },
      { type: 'film', from: 'stream', contentType: 'video/webm', extension: 'webm' },
    ],
  });
  const all = [probe, ...plugins];
  const registry = createRegistry(all.map((definition) => ({ definition, packageName: definition.name, version: '0.0.0' })));
  const hooks = createHooks();
  for (const { definition } of registry.plugins) definition.apply?.({ hooks: createPluginHooks(hooks, definition) } as never);
  const note = (event: string) => events.push(event);
  hooks.capture.for('probe').tap('probe', () => (note('capture'), 'captured'));
  hooks.encode
    .for('png')
    .tap(
      'probe',
      (captured) => (note(`encode ${String(captured)}`), { contentType: 'image/png', extension: 'png', body: Buffer.from('x') }),
    );
  let shown: TargetResponse | undefined;
  const page = {
    goto: (url: string) => (note(`goto ${url}`), Promise.resolve((shown = { url, status: 200 }))),
    currentResponse: () => shown,
    lifecycle: { reached: (state: string) => (note(state), Promise.resolve(0)) },
  };
  const tab = {
    page,
    shown: page as unknown,
    show: (other: unknown): void => {
      tab.shown = other;
      if (other !== page) note(`show ${String(other)}`);
    },
    onOneDocument: async ({ prepare, read }: Parameters<Lease['tab']['onOneDocument']>[0]) => (await prepare(), await read()),
  };
  const lease = {
    tab,
    context: {},
    queuedMs: 7,
    browserGone: false,
    [Symbol.asyncDispose]: () => (note('closed'), Promise.resolve()),
  };
  const pool = { open: () => (note('open'), Promise.resolve(lease as unknown as Lease)) };
  const run = (params: Record<string, unknown> = {}, signal?: AbortSignal, more: object = {}) => {
    const deadline = createDeadline({ timeoutMs: null, signal });
    const plan = planRender({ url: 'http://site.test/', ...params }, registry);
    return runPipeline({ hooks, pool, deadline, store: createMemoryStore(), log: silentLogger, ...more } as never, plan);
  };
  return { events, hooks, lease, pool, run };
}

export const tapping = (name: string, apply: NonNullable<Plugin['apply']>): Plugin => definePlugin({ name, apply });
