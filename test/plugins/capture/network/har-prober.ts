import type { Plugin } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import type { Entry, Har } from 'har-format';
import validate from 'har-validator';
import networkLog from '../../../../plugins/asset/network-log/src/index.js';
import exchanges from '../../../../plugins/capture/network/src/index.js';
import har from '../../../../plugins/output/har/src/index.js';
import target from '../../../../plugins/page/target/src/index.js';
import wait from '../../../../plugins/page/wait/src/index.js';

export interface HarProber extends AsyncDisposable {
  readonly host: TestKernel;
  /** Renders to a HAR that a validator has looked at. */
  har(params: Readonly<Record<string, unknown>>): Promise<ReadHar>;
}

export interface ReadHar {
  readonly text: string;
  readonly log: Har['log'];
  /** All entries whose URL ends so. */
  all(end: string): readonly OwnEntry[];
  /** The only one. */
  one(end: string): OwnEntry;
}

/** With the fields beyond HAR 1.2. */
export type OwnEntry = Entry & {
  readonly _fromCache?: string;
  readonly _fetchedViaServiceWorker?: boolean;
  readonly _target?: string;
  readonly _webSocketMessages?: readonly { readonly type: string; readonly opcode: number; readonly data: string; readonly time: number }[];
  readonly response: { readonly _error?: string; readonly _errorReason?: string; readonly _transferSize?: number };
};

/** A kernel with the recorders, the target's keys and wait conditions. */
export function openHarProber(...more: Plugin[]): HarProber {
  const host = createTestKernel({ plugins: [target, wait, ...more, exchanges, har, networkLog] });
  return {
    host,
    async har(params) {
      const result = await host.render({ output_type: 'har', ...params });
      return readHar((await result.bytes()).toString());
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

export async function readHar(text: string): Promise<ReadHar> {
  const parsed = JSON.parse(text) as Har;
  await validate.har(parsed);
  const all = (end: string) => parsed.log.entries.filter(({ request }) => request.url.endsWith(end)) as readonly OwnEntry[];
  return {
    text,
    log: parsed.log,
    all,
    one(end) {
      const [first, ...rest] = all(end);
      if (!first || rest.length > 0) throw new Error(`${String(rest.length + (first ? 1 : 0))} entries end in ${end}, of ${urls(parsed)}`);
      return first;
    },
  };
}

function urls({ log }: Har): string {
  return log.entries.map(({ request }) => `${request.method} ${request.url}`).join(', ');
}

/** A page that does something and says in its title when it is done. */
export function acting(script: string, head = ''): string {
  return `<!doctype html><meta charset=utf-8>${head}<body><script type=module>${script};document.body.append(Object.assign(document.createElement('p'),{id:'done'}))</script>`;
}

/** Waits for what `acting` does. */
export const ACTED = { wait_for: 'css:#done', timeout: 20 } as const;
