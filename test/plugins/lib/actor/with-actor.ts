import { definePlugin, type DeviceProfile, type Page } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { createActor, type Action, type Actor, type Performed } from '@platen/lib-actor';
import { captureView, createRefTable, writeSnapshot } from '@platen/lib-view';
import { afterAll } from 'vitest';

interface Loose {
  readonly kind: Action['kind'];
  readonly [key: string]: unknown;
}

/** An action on the element of a line, or without one, after a script, if there is one; or a script alone. */
export type Step = string | readonly [string | undefined, Loose, string?];

export function dataUrl(html: string): string {
  return `data:text/html,${encodeURIComponent(`<!DOCTYPE html>${html}`)}`;
}

export interface Prober {
  readonly page: Page;
  readonly actor: Actor;
  /** The ref of the only line of a snapshot that begins so. */
  ref(line: string): Promise<string>;
  /** Performs with the ref of that line as `ref`. */
  on(line: string, action: Loose): Promise<Performed>;
  step(step: Step, timeoutMs?: number): Promise<Performed | undefined>;
  /** All steps, each followed by `settle`. */
  walk(steps: readonly Step[]): Promise<readonly (Performed | undefined)[]>;
  perform(action: Action, timeoutMs?: number): Promise<Performed>;
  snapshot(): Promise<string>;
  /** A value of the page's main world. */
  read(source: string): Promise<unknown>;
}

/** Acts on a loaded page at rest. */
export type WithActor = <T>(url: string, work: (prober: Prober) => Promise<T>, profile?: Partial<DeviceProfile>) => Promise<T>;

interface Job {
  readonly profile: Partial<DeviceProfile>;
  work(prober: Prober): Promise<void>;
}

/** One kernel for the file that calls this. */
export function openActor(): WithActor {
  const jobs = new Map<number, Job>();
  const host = createTestKernel({ plugins: [actingOn(jobs)] });
  afterAll(() => host[Symbol.asyncDispose]());
  let last = 0;
  return async <T>(url: string, work: (prober: Prober) => Promise<T>, profile: Partial<DeviceProfile> = {}) => {
    const results: T[] = [];
    const errors: unknown[] = [];
    const job = (last += 1);
    jobs.set(job, {
      profile,
      async work(prober) {
        await work(prober).then(
          (result) => results.push(result),
          (error: unknown) => errors.push(error),
        );
      },
    });
    await (await host.render({ url, output_type: 'acting', job })).bytes();
    for (const error of errors) throw error;
    return results[0] as T;
  };
}

function actingOn(jobs: ReadonlyMap<number, Job>) {
  return definePlugin({
    name: 'acting',
    params: { job: { type: 'integer', description: 'Number of the job.' } },
    captures: [{ kind: 'acting' }],
    outputs: [{ type: 'acting', from: 'acting', contentType: 'text/plain', extension: 'txt' }],
    apply({ hooks }) {
      hooks.beforeNavigate.tapPromise('acting', async ({ page, params }) => {
        const profile = jobs.get(Number(params.job))?.profile ?? {};
        if (Object.keys(profile).length > 0) await page.setProfile(profile);
      });
      hooks.waitFor.tapPromise('acting', async ({ page, params }) => {
        const refs = createRefTable();
        const actor = createActor(page, { refs });
        try {
          await page.lifecycle.reached('load');
          await actor.settle(new AbortController().signal);
          await jobs.get(Number(params.job))?.work(createProber(page, actor, refs));
        } finally {
          actor.close();
        }
        return undefined;
      });
      hooks.capture.for('acting').tapPromise('acting', async () => true);
      hooks.encode.for('acting').tap('acting', () => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.alloc(0) }));
    },
  });
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
  const read = (source: string) => actor.page.evaluateInMainWorld(source);
  const step = async (taken: Step, timeoutMs?: number) => {
    if (typeof taken === 'string') {
      await read(taken);
      return undefined;
    }
    const [line, action, before] = taken;
    const named = line === undefined ? action : { ...action, ref: await ref(line) };
    if (before !== undefined) await read(before);
    return perform(named as unknown as Action, timeoutMs);
  };
  return {
    ...{ page, actor, ref, perform, snapshot, step, read },
    on: async (line, action) => perform({ ...action, ref: await ref(line) } as unknown as Action),
    async walk(steps) {
      const done: (Performed | undefined)[] = [];
      for (const one of steps) {
        done.push(await step(one));
        await actor.settle(signal);
      }
      return done;
    },
  };
}
