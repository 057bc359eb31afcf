import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../helpers/run-cli.js';

const MB = 1_000_000;
let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-forms-'));
  server = await startServer([], { env: { TMPDIR: folder } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const peakOf = async (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${String(pid)}/status`, 'utf8'))?.[1]) * 1024;

/** A form with a small page and a file, whose bytes are made while it is sent. */
function send(bytes: number, page = '<p>small'): Promise<Response> {
  const part = (name: string) =>
    `--x\r\nContent-Disposition: form-data; name="upload"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const chunk = Buffer.alloc(MB, 7);
  const body = async function* () {
    yield Buffer.from(
      `--x\r\nContent-Disposition: form-data; name="output_type"\r\n\r\ntxt\r\n${part('index.html')}${page}\r\n${part('large.bin')}`,
    );
    for (let left = bytes; left > 0; left -= MB) yield await Promise.resolve(chunk);
    yield Buffer.from('\r\n--x--\r\n');
  };
  return fetch(server.url, {
    ...{ method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' }, duplex: 'half' },
    body: Readable.toWeb(Readable.from(body())),
  } as RequestInit);
}

it('takes 120 MB and refuses 700 MB, in bounded memory, and leaves nothing on the disk', async () => {
  // The browser has its own files there.
  expect((await send(MB)).status).toBe(200);
  const before = await readdir(folder, { recursive: true });
  const taken = await send(120 * MB);
  expect([taken.status, (await taken.text()).trim()]).toEqual([200, 'small']);
  // Its client still sends when it is answered.
  const refused = await send(700 * MB).then(
    ({ status }) => status,
    () => 413,
  );
  expect(refused).toBe(413);
  expect((await send(MB)).status).toBe(200);
  expect(await peakOf(server.pid)).toBeLessThan(1400 * MB);
  const isUpload = (name: string) => /(?:^|\/)[a-z\d]{25}$/.test(name);
  expect((await readdir(folder, { recursive: true })).filter((name) => !before.includes(name) && isUpload(name))).toEqual([]);
});
