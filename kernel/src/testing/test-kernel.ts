import { buffer } from 'node:stream/consumers';
import type { Kernel, RenderOptions, RenderResult } from '../kernel-contract.js';
import { createKernel } from '../kernel.js';
import type { Logger } from '../logger.js';
import type { LoadedPlugin, Plugin } from '../plugin.js';

export interface TestKernelOptions {
  readonly plugins: readonly Plugin[];
  /** Values of startup flags, by flag name. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly log?: Logger;
}

export interface TestRender extends RenderResult {
  /** The output's complete body. */
  bytes(): Promise<Buffer>;
}

export interface TestKernel extends AsyncDisposable {
  readonly kernel: Kernel;
  /** Validates raw parameters as a JSON body, plans and renders. */
  render(raw: Readonly<Record<string, unknown>>, options?: RenderOptions): Promise<TestRender>;
}

/** A kernel with only these plugins and its own browser; disposing it ends the browser. */
export function createTestKernel({ plugins, flags = {}, log }: TestKernelOptions): TestKernel {
  const kernel = createKernel({ plugins: plugins.map(asLoaded), flags, ...(log === undefined ? {} : { log }) });
  return {
    kernel,
    async render(raw, options) {
      const result = await kernel.render(kernel.plan(kernel.validate(raw, 'body')), options);
      const { body } = result.output;
      return { ...result, bytes: () => (Buffer.isBuffer(body) ? Promise.resolve(body) : buffer(body)) };
    },
    [Symbol.asyncDispose]: () => kernel.close(),
  };
}

function asLoaded(definition: Plugin): LoadedPlugin {
  return { definition, packageName: `test/${definition.name}`, version: '0.0.0' };
}
