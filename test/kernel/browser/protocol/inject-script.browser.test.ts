import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lease } from '../../../../kernel/src/browser/pool/lease.js';
import type { InjectOptions, TargetKind } from '../../../../kernel/src/browser/protocol/contract.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openPool, type TestPool } from '../open-pool.js';

const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });
const READ = 'self.seen = [...(self.order || [])]; self.api = typeof USB;';

let site: Site;
let pool: TestPool;

beforeAll(async () => {
  site = await openSite({
    '/': `<!doctype html><script>
      worker = new Worker('/worker.js');
      shared = new SharedWorker('/shared.js').port;
      answers = (port) => new Promise((resolve) => { port.onmessage = ({ data }) => resolve(data); port.postMessage(''); });
    </script>`,
    '/worker.js': script(`${READ} onmessage = () => postMessage([seen, self.late]);`),
    '/shared.js': script(`${READ} onconnect = ({ ports: [port] }) => { port.onmessage = () => port.postMessage([seen, self.late]); };`),
    '/many': `<!doctype html><script>
      const one = () => new Promise((resolve) => { new Worker('/once.js').onmessage = ({ data }) => resolve(data); });
      all = Promise.all(Array.from({ length: 12 }, one));
    </script>`,
    '/once.js': script(`${READ} postMessage([seen.join(''), api]);`),
  });
  pool = openPool();
});

afterAll(async () => {
  await pool[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const append = (name: string) => `(self.order ||= []).push('${name}')`;

/** Injects each source by an initializer of its own, as plugins do, into targets of these kinds. */
function injecting(lease: Lease, kinds: readonly TargetKind[], sources: readonly (readonly [string, InjectOptions?])[]): void {
  for (const [source, options] of sources)
    lease.tab.page.targets.configure((target) => (kinds.includes(target.kind) ? target.inject(source, options) : []));
}

test('scripts of several plugins run in order before the first statement of a worker, whatever becomes of one of them', async () => {
  await using lease = await pool.lease();
  injecting(lease, ['worker', 'shared_worker'], [[append('a')], ['throw new Error("of a plugin")'], [append('b')]]);
  await lease.tab.page.goto(site.url('/'));
  await lease.tab.page.lifecycle.reached('load');
  for (const port of ['worker', 'shared'])
    expect(await lease.tab.page.evaluateInMainWorld(`answers(${port})`), port).toEqual([['a', 'b'], null]);
});

test('a script that needs the interface objects finds them in every one of many workers, with the scripts before and after it', async () => {
  await using lease = await pool.lease();
  injecting(lease, ['worker'], [[append('a')], [`${append('b')}; delete self.USB`, { needsInterfaces: true }], [append('c')]]);
  await lease.tab.page.goto(site.url('/many'));
  await lease.tab.page.lifecycle.reached('load');
  expect(await lease.tab.page.evaluateInMainWorld('all')).toEqual(Array.from({ length: 12 }, () => ['abc', 'undefined']));
});

test('a script for a worker that runs already is carried out at once', async () => {
  await using lease = await pool.lease();
  await lease.tab.page.goto(site.url('/'));
  await lease.tab.page.lifecycle.reached('load');
  await lease.tab.page.evaluateInMainWorld('answers(worker)');
  const worker = lease.tab.page.targets.all.find(({ kind }) => kind === 'worker');
  await Promise.all(worker?.inject(`self.late = 'late'`) ?? []);
  expect(await lease.tab.page.evaluateInMainWorld('answers(worker)')).toEqual([[], 'late']);
});
