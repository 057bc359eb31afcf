import { definePlugin, type Logger } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { expect, it } from 'vitest';

const title = definePlugin({
  name: 'title',
  captures: [{ kind: 'title' }],
  outputs: [{ type: 'title', from: 'title', contentType: 'text/plain', extension: 'txt' }],
  apply({ hooks }) {
    hooks.capture.for('title').tapPromise('title', ({ page }) => page.evaluate(() => document.title));
    hooks.encode.for('title').tap('title', (text) => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.from(String(text)) }));
  },
});

interface Rendered {
  readonly text: string;
  /** Of the browsers that the kernel has started. */
  readonly pids: readonly unknown[];
}

/** Renders in a kernel of its own; `also` runs before that ends. */
async function render(also?: (pid: number) => Promise<void>): Promise<Rendered> {
  const pids: unknown[] = [];
  const ignore = (): void => undefined;
  const log: Logger = {
    ...{ debug: ignore, warn: ignore, error: ignore },
    info(fields, message) {
      if (message === 'browser started' && 'pid' in fields) pids.push(fields.pid);
    },
    child: () => log,
  };
  await using host = createTestKernel({ plugins: [title], log });
  const bytes = await (await host.render({ url: 'data:text/html,<title>here</title>', output_type: 'title' })).bytes();
  await also?.(Number(pids[0]));
  return { text: bytes.toString(), pids };
}

it('a kernel gets the browser of another one, which outlives both', async () => {
  let second: Rendered | undefined;
  const first = await render(async () => {
    second = await render();
  });
  expect(first.text).toBe('here');
  expect(first.pids).toHaveLength(1);
  expect(second).toEqual(first);
  expect(await render()).toEqual(first);
});

it('a browser that has ended is replaced', async () => {
  const { pids } = await render();
  await render(async (pid) => {
    expect(pids).toEqual([pid]);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => render(), { timeout: 20_000 }).toMatchObject({ text: 'here' });
  });
  const after = await render();
  expect(after.text).toBe('here');
  expect(after.pids).not.toEqual(pids);
});
