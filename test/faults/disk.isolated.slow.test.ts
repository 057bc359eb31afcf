import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startServer } from '../helpers/run-cli.js';
import { mountSmallDisk, NEEDS_MOUNT } from '../helpers/small-disk.js';

const disk = mountSmallDisk(64 * 2 ** 20);
afterAll(() => disk?.[Symbol.dispose]());

test.skipIf(disk === undefined)(
  `F9: a full disk under the profile is no truncated answer, and no harm afterwards (${NEEDS_MOUNT})`,
  async () => {
    if (disk === undefined) return;
    await using server = await startServer([], { env: { TMPDIR: disk.path } });
    const render = async (output_type: string) => {
      const params = new URLSearchParams({ url: 'data:text/html,<h1>page', output_type, timeout: '10', video_duration: '0.5' });
      const response = await fetch(`${server.url}/?${params.toString()}`, { signal: AbortSignal.timeout(12_000) });
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    };
    const whole = await render('png');
    expect(whole.status).toBe(200);
    await disk.fillTo(0);
    // A picture needs no room, a PDF the browser's temporary file, a film that of its encoder.
    expect(await render('png')).toEqual(whole);
    for (const [type, code] of [
      ['pdf', 'print_failed'],
      ['mp4', 'encode_failed'],
    ] as const) {
      const { status, body } = await render(type);
      expect(status).toBe(500);
      expect(JSON.parse(body.toString())).toMatchObject({ code, detail: expect.stringContaining('full') });
    }
    await rm(join(disk.path, 'filler'));
    expect(await render('png')).toEqual(whole);
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ status: 'ok', in_flight: 0 });
  },
);
