import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../../helpers/run-cli.js';

const MIB = 2 ** 20;
const MB = 1_000_000;

let server: RunningServer;
beforeAll(async () => {
  server = await startServer(['--browser-concurrency', '2']);
});
afterAll(() => server[Symbol.asyncDispose]());

async function render(params: Readonly<Record<string, unknown>>) {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ output_type: 'txt', timeout: 280, ...params }),
  });
  return { status: response.status, text: (await response.text()).trim() };
}

it('a file that is fetched 200 times at once takes the memory of some', { timeout: 300_000 }, async () => {
  const page = `<p id=sum></p><script>
    Promise.all(Array.from({ length: 200 }, async () => (await (await fetch('large.bin')).arrayBuffer()).byteLength)).then((sizes) => {
      document.querySelector('#sum').textContent = sizes.reduce((sum, size) => sum + size, 0);
      document.body.className = 'done';
    });
  </script>`;
  const upload = {
    'index.html': `data:text/html,${encodeURIComponent(page)}`,
    'large.bin': `data:;base64,${Buffer.alloc(4 * MIB, 7).toString('base64')}`,
  };
  expect(await render({ upload, wait_for: 'css:.done' })).toEqual({ status: 200, text: String(200 * 4 * MIB) });
  const peak = Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${String(server.pid)}/status`, 'utf8'))?.[1]) * 1024;
  expect(peak).toBeLessThan(900 * MB);
});

it.each([
  ['of the most that the browser takes', `/*${'x'.repeat(99 * MIB)}*/ document.body.textContent = 'ran'`, { status: 200, text: 'ran' }],
  ['of more', `/*${'x'.repeat(101 * MIB)}*/`, { status: 413, text: expect.stringContaining('too large for the browser') as string }],
  ['that is longer once it is escaped', `/*${'"'.repeat(51 * MIB)}*/`, { status: 413, text: expect.stringContaining('100 MiB') as string }],
])('a script %s; the browser lives', { timeout: 120_000 }, async (_name, javascript, answer) => {
  expect(await render({ html: '<p>shown', javascript })).toEqual(answer);
  expect(server.lines.filter(({ msg }) => msg === 'browser started').length).toBe(1);
});
