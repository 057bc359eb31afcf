import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { followNetworkService } from '../../../../kernel/src/browser/process/browser-process.js';
import { silentLogger } from '../../../../kernel/src/logger.js';
import { until } from '../../../helpers/until.js';

const STANDS_FOR_IT = ['-e', 'setInterval(() => undefined, 60_000)', '--', '--utility-sub-type=network.mojom.NetworkService'];

test.runIf(process.platform === 'linux')('a network service that the browser is still starting is found by a later look', async () => {
  const service = spawn(process.execPath, STANDS_FOR_IT, { stdio: 'ignore' });
  await once(service, 'spawn');
  const answers = [[], [], [{ id: service.pid }]];
  const send = () => Promise.resolve({ processInfo: answers.shift() });
  const told: object[] = [];
  const network = followNetworkService({ send } as never, { ...silentLogger, debug: (fields) => told.push(fields) });
  network.look();
  await until(() => told.length > 0);
  expect(told[0]).toEqual({ network_pid: service.pid });
  expect(network.ended).toBe(false);
  service.kill('SIGKILL');
  await once(service, 'exit');
  expect(network.ended).toBe(true);
});
