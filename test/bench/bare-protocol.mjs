// The least that a picture takes: the browser's protocol over its pipe, without a library, a proxy, a sandbox or a server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowsers } from '@platen/kernel';

const SIZE = { width: 1280, height: 720 };

export async function openBareProtocol() {
  const { shell } = await findBrowsers();
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  const switches = ['--headless', '--no-sandbox', '--remote-debugging-pipe', '--no-startup-window', '--hide-scrollbars'];
  const child = spawn(shell.path, [...switches, `--user-data-dir=${folder}`], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const { send, onLoad } = speak(child.stdio[3], child.stdio[4]);
  return {
    name: 'bare protocol, fast png',
    pid: child.pid,
    async render(url) {
      const { browserContextId } = await send('Target.createBrowserContext', { disposeOnDetach: true });
      try {
        const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId, ...SIZE });
        const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
        await Promise.all([
          send('Page.enable', {}, sessionId),
          send('Emulation.setDeviceMetricsOverride', { ...SIZE, deviceScaleFactor: 1, mobile: false }, sessionId),
        ]);
        const loaded = onLoad(sessionId);
        await send('Page.navigate', { url }, sessionId);
        await loaded;
        const { data } = await send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true }, sessionId);
        return { body: Buffer.from(data, 'base64'), timing: {} };
      } finally {
        await send('Target.disposeBrowserContext', { browserContextId });
      }
    },
    async close() {
      child.kill('SIGKILL');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Messages end with a zero byte. */
function speak(output, input) {
  const calls = new Map();
  const loads = new Map();
  let last = 0;
  let rest = Buffer.alloc(0);
  const take = ({ id, error, result, method, sessionId }) => {
    if (id === undefined) {
      if (method === 'Page.loadEventFired') loads.get(sessionId)?.();
      return;
    }
    const { resolve, reject } = calls.get(id);
    calls.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error.message));
  };
  input.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      take(JSON.parse(rest.subarray(0, end).toString()));
      rest = rest.subarray(end + 1);
    }
  });
  return {
    send: (method, params = {}, sessionId = undefined) =>
      new Promise((resolve, reject) => {
        last += 1;
        calls.set(last, { resolve, reject });
        output.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
      }),
    onLoad: (sessionId) =>
      new Promise((resolve) => {
        loads.set(sessionId, resolve);
      }).finally(() => loads.delete(sessionId)),
  };
}
