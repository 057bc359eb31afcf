import { silentLogger } from '@platen/kernel';
import { createServer } from '@platen/server';
import { expect, it } from 'vitest';
import networkLog from '../../../../plugins/asset/network-log/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import trace from '../../../../plugins/output/trace/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import { openModelServer } from '../../../helpers/model-server.js';
import { navigatorScript, type Turn } from '../../../helpers/navigator-script.js';
import { openSite } from '../../../helpers/site.js';
import { openNavigatorHost } from './open-host.js';

const SECRET = 'correct horse battery';

const TURNS: readonly Turn[] = [
  ({ ref }) => [
    { kind: 'fill', ref: ref('textbox', 'Name'), value: 'credential:name' },
    { kind: 'click', ref: ref('button', 'Enter') },
  ],
  () => [{ kind: 'fail', reason: 'the door is closed' }],
];

interface Problem {
  readonly detail: string;
  readonly report: unknown;
}

it('a goal that was not reached is a 422 with links to all assets', async () => {
  await using site = await openSite({
    '/': '<title>Door</title><form action="/closed"><label>Name <input name="n"></label><button>Enter</button></form>',
    '/closed': ({ url = '' }) => `<title>Closed</title><p>Sorry, ${new URL(url, 'http://x').searchParams.get('n') ?? ''}`,
  });
  await using host = openNavigatorHost({}, [networkLog, walk, warc, trace]);
  const { script } = navigatorScript(TURNS);
  await using model = await openModelServer('openai', script);
  const server = createServer({ kernel: host.kernel, log: silentLogger, flags: { 'server-bind-port': 0 } });
  try {
    const base = await server.listen();
    const params = {
      ...{ url: site.url('/'), navigate: 'Enter.', navigator_type: [model.connection({ key: 'sk-test' })], output_type: 'png' },
      ...{ navigator_credential: { name: SECRET }, with_har: true, with_axtree: 'text', with_network_log: true, with_warc: true },
      ...{ with_trace: true, trace_no_gzip: true, with_archive_cdx: true },
    };
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(base, { method: 'POST', headers, body: JSON.stringify(params) });
    expect(response.status).toBe(422);
    const body = await response.text();
    // A problem document.
    const problem = JSON.parse(body) as Problem;
    expect(problem).toMatchObject({ code: 'goal_not_reached', report: { status: 'failed', steps: 2, url: site.url('/closed?n=***') } });
    expect(problem.detail).toContain('the door is closed');
    const links = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>;[^,]*title="([^"]+)"/g)].map(([, path = '', name = '']) => ({
      path,
      name,
    }));
    expect(links.map(({ name }) => name).sort()).toEqual(['archive_cdx', 'axtree', 'har', 'network_log', 'trace', 'warc']);
    const files = await Promise.all(
      links.map(async ({ path, name }) => [name, Buffer.from(await (await fetch(new URL(path, base))).arrayBuffer()).toString()] as const),
    );
    const texts = Object.fromEntries(files);
    expect(texts['har']).toContain('/closed?n=***');
    expect(texts['axtree']).toMatch(/^Page: Closed\n[^]*"Sorry, \*\*\*"/);
    expect(texts['network_log']).toContain('/closed?n=***');
    expect(texts['archive_cdx']).toContain('/closed?n=***');
    for (const [name, text] of [['problem', body], ...files]) expect(text, name).not.toMatch(/correct.{1,3}horse/);
  } finally {
    await server.close(0);
  }
});
