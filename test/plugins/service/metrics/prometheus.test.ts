import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { findOnPath } from '../../../../server/setup/apt.mjs';
import { openCheckedFile } from '../../../helpers/checkers.js';
import { until } from '../../../helpers/until.js';
import { startMetrics } from './metrics-server.js';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  server.close();
  await once(server, 'close');
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

/** Prometheus 2 asks for OpenMetrics, and refuses a scrape as a whole where a line of it is not. */
it.skipIf(findOnPath('prometheus') === undefined)('a Prometheus scrapes with credentials, and finds the series', async () => {
  const server = await startMetrics({ flags: { 'server-prometheus-auth': ['ops:secret'] } });
  await server.ask('/?url=http://a.test/');
  const config = {
    scrape_configs: [
      {
        job_name: 'platen',
        scrape_interval: '1s',
        basic_auth: { username: 'ops', password: 'secret' },
        static_configs: [{ targets: [`127.0.0.1:${String(server.port)}`] }],
      },
    ],
  };
  await using file = await openCheckedFile(Buffer.from(JSON.stringify(config)), 'yml');
  const address = `127.0.0.1:${String(await freePort())}`;
  await mkdir(file.beside('data'));
  const prometheus = spawn(
    'prometheus',
    [`--config.file=${file.path}`, `--storage.tsdb.path=${file.beside('data')}`, `--web.listen-address=${address}`],
    { stdio: 'ignore' },
  );
  try {
    const query = async (text: string) => {
      const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(text)}`).catch(() => undefined);
      return answer?.ok === true ? await answer.text() : '';
    };
    await until(async () => (await query('up')).includes('"job":"platen"'));
    expect(JSON.parse(await query('up'))).toMatchObject({ data: { result: [{ value: [expect.any(Number), '1'] }] } });
    expect(JSON.parse(await query('svc_requests_total{format="png"}'))).toMatchObject({
      data: { result: [{ metric: { endpoint: 'GET /', outcome: 'success', job: 'platen' }, value: [expect.any(Number), '1'] }] },
    });
    expect(JSON.parse(await query('histogram_quantile(0.5, svc_request_duration_seconds_bucket{le=~".+"})'))).toMatchObject({
      data: { result: [{ metric: { format: 'png', cache: 'none', status: '200' } }] },
    });
  } finally {
    const ended = once(prometheus, 'exit');
    prometheus.kill('SIGKILL');
    await ended;
  }
});
