import { definePlugin, findTool } from '@platen/kernel';
import { JXL_ENCODERS } from '@platen/lib-jxl';
import diagnostics from '@platen/plugin-diagnostics';
import jpegxl from '@platen/plugin-jpegxl';
import limits from '@platen/plugin-limits';
import storage from '@platen/plugin-storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openServer, rendered, type FakeRender, type TestServer } from '../server/test-server.js';

let server: TestServer;
beforeAll(async () => {
  process.env.PLATEN_TEST_CANARY = 'canary-81c7';
  server = await openServer({ plugins: [diagnostics], render: () => Promise.reject(new Error('nothing is to be rendered')) });
});
afterAll(async () => {
  delete process.env.PLATEN_TEST_CANARY;
  await server[Symbol.asyncDispose]();
});

describe('diagnostics', () => {
  it('returns diagnostic information about the server environment instead of rendering', async () => {
    const response = await server.get('url=http://a.test/&diagnostics=true');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      versions: {
        platen: server.kernel.version,
        node: process.versions.node,
        browser: expect.stringMatching(/^\d+(\.\d+){3}$/),
        ffmpeg: expect.anything(),
        libvips: expect.stringMatching(/^\d/),
      },
      plugins: [
        { name: 'fake', version: '0.0.0', tier: 'free', outputs: ['png', 'html'] },
        { name: 'diagnostics', version: '0.0.0', tier: 'free', outputs: [] },
      ],
      pool: { browsers: 0, warm: 0, busy: 0, capacity: expect.any(Number), restarts: 0 },
      queue: { in_flight: 0, waiting: 0 },
      limits: { max_concurrency: expect.any(Number), body_bytes: 8 * 1024 * 1024 },
      capabilities: expect.objectContaining({
        output_types: ['html', 'png'],
        platform: process.platform,
        architecture: process.arch,
        video: true,
        tools: {},
      }),
    });
  });

  it('reports the ffmpeg that videos will use, and no other', async () => {
    await using other = await openServer({ plugins: [diagnostics], flags: { 'ffmpeg-path': '/nowhere/ffmpeg' } });
    const report: unknown = await (await other.get('url=http://a.test/&diagnostics')).json();
    expect(report).toMatchObject({ versions: { ffmpeg: null }, capabilities: { video: false } });
  });

  it('tells which of the tools that plugins look for are taken: the encoder of JPEG XL', async () => {
    expect(jpegxl.tools).toEqual([JXL_ENCODERS]);
    const plugin = definePlugin({ name: 'test-tool', tools: jpegxl.tools ?? [] });
    await using other = await openServer({ plugins: [plugin, diagnostics] });
    const report: unknown = await (await other.get('url=http://a.test/&diagnostics')).json();
    const found = await findTool(JXL_ENCODERS, import.meta.url);
    expect(found?.name).toMatch(/^(cjxl|ffmpeg with libjxl|@jsquash\/jxl)$/);
    expect(report).toMatchObject({ capabilities: { tools: { jpeg_xl_encoder: { name: found?.name, version: found?.version ?? null } } } });
  });

  it('says of a tool that is not there that it is not', async () => {
    const tools = [{ id: 'test_tool', candidates: [{ name: 'none', command: ['/nowhere/none'], prints: '' }], fix: 'nothing' }] as const;
    const plugin = definePlugin({ name: 'test-tool', tools });
    await using other = await openServer({ plugins: [plugin, diagnostics] });
    const report: unknown = await (await other.get('url=http://a.test/&diagnostics')).json();
    expect(report).toMatchObject({ capabilities: { tools: { test_tool: null } } });
  });

  it('says the same of renders and bodies as the server goes by', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const flags = { 'server-max-concurrency': 1, 'server-queue-requests': true, 'server-memory-reserve': 0 };
    const render: FakeRender = (plan, options) => released.then(() => rendered(plan, options));
    await using other = await openServer({ plugins: [diagnostics, limits, storage], flags, render });
    const requests = [1, 2, 3].map(() => other.get('url=http://a.test/'));
    const status = async () => (await fetch(`${other.url}/status`)).json() as Promise<unknown>;
    await vi.waitFor(async () => expect(await status()).toMatchObject({ in_flight: 1, queued: 2, max_concurrency: 1 }));
    expect(await (await other.get('url=http://a.test/&diagnostics')).json()).toMatchObject({
      queue: { in_flight: 1, waiting: 2 },
      limits: { max_concurrency: 1, body_bytes: 8 * 2 ** 20, storage_body_bytes: 128 * 2 ** 20 },
    });
    release();
    expect((await Promise.all(requests)).map((response) => response.status)).toEqual([200, 200, 200]);
    const tooLarge = await other.post({ url: `http://a.test/${'x'.repeat(8 * 2 ** 20)}` });
    expect(tooLarge.status).toBe(413);
  });

  it('by POST, and only when it is true', async () => {
    expect((await server.post({ url: 'http://a.test/', diagnostics: true })).status).toBe(200);
    expect((await server.post({ url: 'http://a.test/', diagnostics: false })).status).toBe(500);
    expect((await server.post({ diagnostics: true })).status).toBe(400);
  });

  it('holds no secret, no value of the environment and no path', async () => {
    const text = await (await server.get('url=http://user:canary-81c7@a.test/&diagnostics')).text();
    expect(text).not.toMatch(/canary-81c7|\/usr|\/root|\/home|chromium/);
  });
});
