import { type Logger, silentLogger } from '@platen/kernel';
import { modelsOf, registryOf } from '@platen/lib-models';
import stdio from '@platen/plugin-model-providers/stdio';
import { describe, expect, it } from 'vitest';
import { provideByStdio, type StdioProvider } from '../../../helpers/stdio-provider.js';
import { until } from '../../../helpers/until.js';
import { HELLO, within } from '../../lib/models/open-models.js';

function openModel({ outbound, connection }: StdioProvider, log: Logger = silentLogger) {
  const api = { outbound, log, options: {} };
  // Registering a provider needs nothing else of the API.
  if (registryOf(api).wires.size === 0) stdio.apply?.(api as never);
  return modelsOf(api).open(connection(), { source: 'startup', name: 'llm-format-model' });
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a local program', () => {
  it('is started at its first request, once for all models and requests', async () => {
    await using provider = await provideByStdio([{ text: 'one' }, { text: 'two' }]);
    const models = [openModel(provider), openModel(provider)];
    await expect(provider.starts()).rejects.toThrow('ENOENT');
    expect(await models[0]?.ask(HELLO, within())).toMatchObject({ text: 'one', usage: { input: 100, output: 20, cached: 40, calls: 1 } });
    expect(await models[1]?.ask(HELLO, within())).toMatchObject({ text: 'two' });
    expect(await provider.starts()).toHaveLength(1);
  });

  it('may answer concurrent requests in any order', async () => {
    await using provider = await provideByStdio(['hold', { text: 'second' }]);
    const model = openModel(provider);
    const answers = await Promise.all([model.ask(HELLO, within()), model.ask(HELLO, within())]);
    expect(answers.map(({ text }) => text)).toEqual(['held', 'second']);
  });

  it.each(['die', 'garbage'])('is started again when it ends in a request (%s)', async (step) => {
    await using provider = await provideByStdio([step, { text: 'again' }]);
    expect(await openModel(provider).ask(HELLO, within())).toMatchObject({ text: 'again' });
    const [first, second] = await provider.starts();
    expect(second).not.toBe(first);
  });

  it('fails where it always ends', async () => {
    await using provider = await provideByStdio(['die', 'die', 'die']);
    await expect(openModel(provider).ask(HELLO, within())).rejects.toMatchObject({
      code: 'llm_upstream',
      message: 'the model "test" (stdio) could not be started, or ended',
    });
  });

  it('is started again when it was ended between two requests', async () => {
    await using provider = await provideByStdio([{ text: 'one' }, { text: 'two' }]);
    const model = openModel(provider);
    await model.ask(HELLO, within());
    const [pid = 0] = await provider.starts();
    process.kill(pid, 'SIGKILL');
    await until(() => !isRunning(pid));
    expect(await model.ask(HELLO, within())).toMatchObject({ text: 'two' });
  });

  it('ends with the server, and with its time only the request', async () => {
    await using provider = await provideByStdio([{ text: 'one' }, 'hang', { text: 'three' }]);
    const model = openModel(provider);
    await model.ask(HELLO, within());
    await expect(model.ask(HELLO, within(100.5))).rejects.toMatchObject({ code: 'llm_upstream', message: /did not respond in time/ });
    expect(await model.ask(HELLO, within())).toMatchObject({ text: 'three' });
    const [pid = 0, ...others] = await provider.starts();
    expect(others).toEqual([]);
    provider.close();
    await until(() => !isRunning(pid));
  });

  it.each([
    ['an error', { error: 'out of memory at "the prompt"' }, 'the model "test" (stdio) reported an error'],
    ['no answer', {}, 'the model "test" (stdio) sent a response of an unknown form'],
  ])('that sends %s is quoted in the log only', async (_, step, message) => {
    await using provider = await provideByStdio([step]);
    const lines: string[] = [];
    const log: Logger = { ...silentLogger, warn: (...args) => void lines.push(JSON.stringify(args)) };
    await expect(openModel(provider, log).ask(HELLO, within())).rejects.toMatchObject({ code: 'llm_upstream', message });
    if ('error' in step) expect(lines.join()).toContain('out of memory');
  });

  it('that does not exist is an error', async () => {
    await using provider = await provideByStdio([]);
    const api = { outbound: provider.outbound, log: silentLogger, options: {} };
    stdio.apply?.(api as never);
    const model = modelsOf(api).open('stdio:///no/such/program', { source: 'startup', name: 'f' });
    await expect(model.ask(HELLO, within())).rejects.toMatchObject({ code: 'llm_upstream', message: /could not be started/ });
  });
});
