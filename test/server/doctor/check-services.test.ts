import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { modelsOf } from '@platen/lib-models';
import models from '@platen/plugin-models';
import openai from '@platen/plugin-model-providers/openai';
import stdio from '@platen/plugin-model-providers/stdio';
import { describe, expect, it } from 'vitest';
import { checkServices } from '../../../server/src/doctor/index.js';
import { openModelServer } from '../../helpers/model-server.js';
import { provideByStdio } from '../../helpers/stdio-provider.js';
import { until } from '../../helpers/until.js';

const KEY = 'sk-Secret_0123456789';

/** An output plugin with a startup model. */
const formatter = definePlugin({
  name: 'formatter',
  flags: { 'llm-format-model': { type: 'string', description: 'The model.', 'x-secret': true } },
  prepare(api) {
    modelsOf(api).open(api.options['llm-format-model'] ?? '', { source: 'startup', name: 'llm-format-model' });
    return Promise.resolve();
  },
});

async function findingsOf(connection: string) {
  const flags = { 'llm-format-model': connection };
  await using host = createTestKernel({ plugins: [formatter, openai, stdio, models], flags });
  return await checkServices(host.kernel, flags);
}

describe('platen doctor', () => {
  it('asks a startup model for one word, and nothing else', async () => {
    await using server = await openModelServer('openai', [{ text: 'ok' }]);
    expect(await findingsOf(server.connection({ key: KEY }))).toMatchObject([
      { id: 'model', state: 'ok', facts: { flag: 'llm-format-model', protocol: 'openai', model: 'test' } },
    ]);
    expect(server.seen).toMatchObject([{ key: KEY, messages: [{ texts: ['Reply with the word "ok".'], images: [] }] }]);
  });

  it('says what is wrong with it, without its key and host', async () => {
    await using server = await openModelServer('openai', [{ status: 401, body: KEY }]);
    const findings = await findingsOf(server.connection({ key: KEY }));
    expect(findings).toMatchObject([
      {
        id: 'model',
        state: 'remark',
        text: 'the model "test" (openai) responded with status 401: check the key',
        fix: 'correct --llm-format-model, or start its server',
      },
    ]);
    expect(JSON.stringify(findings)).not.toMatch(/Secret|127\.0\.0\.1/);
  });

  it('starts a local program, and ends it', async () => {
    await using provider = await provideByStdio([{ text: 'ok' }]);
    expect(await findingsOf(provider.connection())).toMatchObject([{ id: 'model', state: 'ok' }]);
    const [pid = 0] = await provider.starts();
    await until(() => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    });
  });

  it('reports a connection that is not one', async () => {
    expect(await findingsOf('openai://h')).toMatchObject([
      { id: 'server', state: 'remark', text: expect.stringContaining('--llm-format-model lacks the option "model"') as string },
    ]);
  });
});
