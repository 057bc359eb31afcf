import navigatorScripts from '@platen/plugin-navigator-scripts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NavigatorHost, openNavigatorHost } from '../navigate/open-host.js';
import { record, write } from './recorded.js';
import { recordScripts, runScript } from './run-scripts.js';
import { CASES, openCase } from './sites.js';

let host: NavigatorHost;
beforeAll(() => {
  host = openNavigatorHost({}, [navigatorScripts]);
});
afterAll(() => host[Symbol.asyncDispose]());

describe.each(CASES)('$name', (replay) => {
  it('both scripts bring the server to the same state in a browser of their own, without a model', async () => {
    const { site, state } = await openCase(replay);
    await using server = site;
    const { playwright, puppeteer, error } = await recordScripts(host, replay.turns, { url: server.url(replay.start), ...replay.params });

    expect(error).toBeUndefined();
    expect(state.splice(0)).toEqual(replay.end);
    expect(await runScript('playwright', playwright, replay)).toMatchObject({ code: 0, output: expect.stringContaining('1 passed') });
    expect(state.splice(0)).toEqual(replay.end);
    expect(await runScript('puppeteer', puppeteer, replay)).toEqual({ code: 0, output: '' });
    expect(state.splice(0)).toEqual(replay.end);
  });
});

it.each(['playwright', 'puppeteer'] as const)(
  'a %s script without its credential ends with the name of the environment variable',
  async (form) => {
    const scripts = write([record({ kind: 'fill', ref: 'e1', value: 'credential:api-key' })]);
    const { code, output } = await runScript(form, scripts[form]);
    expect(code).toBe(1);
    expect(output).toContain('Set the environment variable CRED_API_KEY.');
  },
);
