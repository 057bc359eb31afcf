import { definePlugin, type Page } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';

/** The result of a function that works on a loaded page. */
export async function withPage<T>(url: string, work: (page: Page) => Promise<T>): Promise<T> {
  const results: T[] = [];
  const working = definePlugin({
    name: 'working',
    captures: [{ kind: 'working' }],
    outputs: [{ type: 'working', from: 'working', contentType: 'text/plain', extension: 'txt' }],
    plan({ browser }) {
      browser.scaled = true;
    },
    apply({ hooks }) {
      hooks.capture.for('working').tapPromise('working', async ({ page }) => {
        results.push(await work(page));
        return true;
      });
      hooks.encode.for('working').tap('working', () => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.alloc(0) }));
    },
  });
  await using host = createTestKernel({ plugins: [working] });
  await (await host.render({ url, output_type: 'working' })).bytes();
  const [result] = results;
  if (result === undefined) throw new Error('the page was not captured');
  return result;
}
