import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import dom from '../../../../plugins/capture/dom/src/index.js';
import markdown from '../../../../plugins/output/markdown/src/index.js';
import target from '../../../../plugins/page/target/src/index.js';
import wait from '../../../../plugins/page/wait/src/index.js';

export interface MarkdownHost extends AsyncDisposable {
  readonly kernel: TestKernel;
  /** The Markdown of a page. */
  render(params: Readonly<Record<string, unknown>>): Promise<string>;
}

export function openMarkdownHost(): MarkdownHost {
  const kernel = createTestKernel({ plugins: [target, wait, dom, markdown] });
  return {
    kernel,
    async render(params) {
      const result = await kernel.render({ output_type: 'markdown', ...params });
      return (await result.bytes()).toString();
    },
    [Symbol.asyncDispose]: () => kernel[Symbol.asyncDispose](),
  };
}
