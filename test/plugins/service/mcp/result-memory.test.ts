import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { NO_ASSETS } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { createResultMemory } from '../../../../plugins/service/mcp/src/result-memory.js';
import type { FakeRender } from '../../../server/test-server.js';
import { useMcp } from './open-mcp.js';

const { serve, connect } = useMcp();

const MIB = 1024 * 1024;

describe('the memory for results', () => {
  it('has room again after a release, and always for small contents', () => {
    const memory = createResultMemory(10 * MIB);
    const [one, other] = [memory.open(), memory.open()];
    expect([one.reserve(8 * MIB), other.reserve(8 * MIB), other.reserve(1000)]).toEqual([true, false, true]);
    one.release();
    expect(other.reserve(8 * MIB)).toBe(true);
  });

  it('is not exhausted by clients that do not read what they have asked for', async () => {
    const render: FakeRender = () =>
      Promise.resolve({
        output: { contentType: 'application/octet-stream', extension: 'bin', body: Buffer.alloc(8 * MIB) },
        assets: NO_ASSETS,
        headers: {},
        timings: {},
      });
    const server = await serve({ render });
    const client = await connect('v1', server.url);
    const { facts } = await client.call('render', { url: 'http://a.test/', output_type: 'download' });
    const { uri } = facts.resource;
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const begin = async () => {
      const asked = request(`${server.url}/mcp`, { method: 'POST', headers }).end(message);
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      // The first bytes: the whole message is in the server's memory.
      await once(response, 'readable');
      return asked;
    };
    const idle = [];
    for (let i = 0; i < 8; i += 1) idle.push(await begin());
    await expect(client.read(uri)).rejects.toThrow('the memory for results is in use');
    const left = server.finished(({ endpoint, code }) => endpoint === 'POST /mcp' && code === 'client_closed');
    for (const asked of idle) asked.destroy();
    await left;
    expect((await client.read(uri)).contents[0].blob).toHaveLength(Math.ceil((8 * MIB) / 3) * 4);
  });
});
