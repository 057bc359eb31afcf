import { Session } from 'node:inspector/promises';
import { createTestKernel } from '@platen/kernel/testing';
import { describe, expect, it } from 'vitest';
import { importPlugin, listPlugins, ROOT } from '../architecture/workspaces.js';
import { openSite } from '../helpers/site.js';

/** How the test runner exports: its functions, and none of a plugin's. */
const EXPORT = /^\(\) => \{ try \{ return \S+ \} catch \{\} \}$/;

/** Functions of the sources below `plugins/` that run meanwhile, each once however often it runs, as V8 counts them. */
async function listFunctions(run: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Debugger.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const scripts = result.filter(({ url }) => url.includes(`${ROOT}plugins/`) && !url.includes('/node_modules/'));
  const lists = scripts.map(async ({ url, scriptId, functions }) => {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
    const ran = functions.flatMap(({ ranges: [whole] }) => (whole !== undefined && whole.count > 0 ? [whole] : []));
    const texts = ran.map(({ startOffset, endOffset }) => scriptSource.slice(startOffset, endOffset)).filter((text) => !EXPORT.test(text));
    return texts.map((text) => `${url}: ${text.slice(0, 60)}`);
  });
  const names = await Promise.all(lists);
  session.disconnect();
  return names.flat();
}

describe('a png with every plugin there is', () => {
  it('runs at most 65 functions of plugins', async () => {
    const plugins = await Promise.all(listPlugins().map(importPlugin));
    await using site = await openSite({ '/': '<title>x</title><p>Hello' });
    await using host = createTestKernel({ plugins });
    const render = () => host.render({ url: site.url('/') });
    await render();
    await render();
    const ran = await listFunctions(render);
    expect(plugins.length).toBeGreaterThan(40);
    expect(ran).toContainEqual(expect.stringContaining('encodePng'));
    expect(ran.length, ran.join('\n')).toBeLessThanOrEqual(65);
  });
});
