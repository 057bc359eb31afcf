import { definePlugin, type DeviceProfile, type Page } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { createActor, type Action, type Actor, type Performed } from '@platen/lib-actor';
import { captureView, createRefTable, writeSnapshot } from '@platen/lib-view';


export interface Prober {
  readonly page: Page;
  readonly actor: Actor;
  /** The ref of the only line of a snapshot that begins so. */
  ref(line: string): Promise<string>;
  /** Performs with the ref of that line as `ref`. */
  on(line: string, action: { readonly kind: Action['kind']; readonly [key: string]: unknown }): Promise<Performed>;
  perform(action: Action, timeoutMs?: number): Promise<Performed>;
  snapshot(): Promise<string>;
  /** A value of the page's main world. */
  read(source: string): Promise<unknown>;
}

/** Acts on a loaded page. */
export async function withActor<T>(url: string, work: (prober: Prober) => Promise<T>, profile?: Partial<DeviceProfile>): Promise<T> {
  const results: T[] = [];
  const acting = definePlugin({
    name: 'acting',
    captures: [{ kind: 'acting' }],
    outputs: [{ type: 'acting', from: 'acting', contentType: 'text/plain', extension: 'txt' }],
    apply({ hooks }) {
      if (profile !== undefined) hooks.beforeNavigate.tapPromise('acting', ({ page }) => page.setProfile(profile));
      hooks.waitFor.tapPromise('acting', async ({ page }) => {
        const refs = createRefTable();
        const actor = createActor(page, { refs });
        try {
          results.push(await work(createProber(page, actor, refs)));
        } finally {
          actor.close();
        }
        return {};
      });
      hooks.capture.for('acting').tapPromise('acting', async () => true);
      hooks.encode.for('acting').tap('acting', () => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.alloc(0) }));
    },
  });
  await using host = createTestKernel({ plugins: [acting] });
  await (await host.render({ url, output_type: 'acting' })).bytes();
  const [result] = results;
  if (results.length === 0) throw new Error('the page was not captured');
  return result as T;
}

function createProber(page: Page, actor: Actor, refs: ReturnType<typeof createRefTable>): Prober {
  const signal = new AbortController().signal;
  const snapshot = async () =>
    (await writeSnapshot(await captureView(actor.page, { refs, screenshot: false }), { maxTokens: 20_000 })).text;
  const ref = async (line: string) => {
    const text = await snapshot();
    const found = text
      .split('\n')
      .filter((one) => one.trim().startsWith(line))
      .flatMap((one) => /\[ref=(e\d+)\]/.exec(one)?.[1] ?? []);
    if (found.length !== 1) throw new Error(`${String(found.length)} of ${line} in ${text}`);
    return found[0] ?? '';
  };
  const perform = (action: Action, timeoutMs = 15_000) => actor.perform(action, { signal, timeoutMs });
  return {
    ...{ page, actor, ref, perform, snapshot },
    on: async (line, action) => perform({ ...action, ref: await ref(line) } as unknown as Action),
    read: (source) => actor.page.evaluateInMainWorld(source),
  };
}
