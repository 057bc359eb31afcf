import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import trace from '@platen/plugin-trace';
import { afterAll, expect, it } from 'vitest';

/** A browser that has no room for the file of its trace: it says so in these words, and no others, when that is read. */
const noRoom = definePlugin({
  name: 'no-room',
  apply({ hooks }) {
    hooks.beforeNavigate.tap('no-room', ({ page }) => {
      const { send } = page;
      Object.assign(page, {
        send: (...call: Parameters<typeof send>) => (call[0] === 'IO.read' ? Promise.reject(new Error('Read failed')) : send(...call)),
      });
    });
  },
});
const host = createTestKernel({ plugins: [pixels, png, trace, noRoom] });
afterAll(() => host[Symbol.asyncDispose]());

const reason = 'the browser could not return its trace: the disk that holds the temporary folder of the server may be full';

it.each([false, true])('a trace that cannot be read out of the browser fails in words, with trace_no_gzip=%s', async (trace_no_gzip) => {
  const { bytes } = await host.render({ url: 'data:text/html,<p>x', output_type: 'trace', trace_no_gzip });
  await expect(bytes()).rejects.toMatchObject({ code: 'encode_failed', message: reason });
});

it('beside another output it is missing, for the same reason', async () => {
  const { assets } = await host.render({ url: 'data:text/html,<p>x', with_trace: true });
  expect(assets.missing).toEqual([{ name: 'trace', reason }]);
});
