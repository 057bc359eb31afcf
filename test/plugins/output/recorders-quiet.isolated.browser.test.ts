import { createTestKernel } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import pprof from '@platen/plugin-pprof';
import trace from '@platen/plugin-trace';
import { Connection } from 'puppeteer-core';
import { afterEach, describe, expect, it, vi } from 'vitest';

const URL = `data:text/html,${encodeURIComponent('<p>x<script>new Worker("data:text/javascript,0")</script>')}`;

afterEach(() => vi.restoreAllMocks());

/** Names of the commands that go to the browser while a page is rendered, in order of the alphabet. */
async function listCommands(plugins: Parameters<typeof createTestKernel>[0]['plugins'], params: object = {}): Promise<string[]> {
  await using host = createTestKernel({ plugins });
  await host.render({ url: URL });
  // Puppeteer's own, which the commands of every session go through; it has no type.
  const wire = Connection.prototype as unknown as { _rawSend(callbacks: unknown, method: string): unknown };
  const sent = vi.spyOn(wire, '_rawSend');
  await (await host.render({ url: URL, ...params })).bytes();
  return sent.mock.calls.map(([, method]) => method).sort();
}

const recorded = (commands: readonly string[]) =>
  commands.filter((method) => /^(Tracing|Profiler|HeapProfiler|Debugger|Performance|IO)\./.test(method));

describe('nobody asked for a profile or a trace', () => {
  it('not one command of theirs goes to the browser', async () => {
    const commands = await listCommands([pixels, png, trace, pprof]);
    expect(commands).toContain('Page.captureScreenshot');
    expect(recorded(commands)).toEqual([]);
  });

  it('where somebody asks, they do', async () => {
    const commands = await listCommands([pixels, png, trace, pprof], { with_pprof_cpu: true });
    expect(new Set(recorded(commands))).toEqual(
      new Set([
        ...['Debugger.enable', 'Performance.disable', 'Performance.enable', 'Performance.getMetrics', 'Profiler.enable'],
        ...['Profiler.setSamplingInterval', 'Profiler.start', 'Profiler.stop'],
      ]),
    );
  });
});
