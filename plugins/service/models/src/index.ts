import { definePlugin, isPlatenError } from '@platen/kernel';
import { checkModel, isLocal, registryOf, type StartupModel, type Usage } from '@platen/lib-models';
import type { ModelReport, ReportFinding } from '@platen/server';

/** For one model: a local program may load for a while. */
const CHECK_MS = 60_000;

/** What the models of a kernel need of its server. */
export default definePlugin({
  name: 'models',
  serve({ hooks }, api) {
    const { wires, startup, usage } = registryOf(api);
    const close = (): void => {
      for (const wire of wires.values()) if (isLocal(wire)) wire.close();
    };
    hooks.examine.tapPromise('models', async (report) => {
      try {
        await Promise.all(startup.map((model) => examine(model, report)));
      } finally {
        close();
      }
    });
    hooks.status.tap('models', (report) => (usage.size === 0 ? report : { ...report, models: [...usage].map(toReport) }));
    hooks.stop.tap('models', close);
  },
});

function toReport([model, { calls, input, output, cached }]: readonly [string, Usage]): ModelReport {
  return { model, calls, input_tokens: input, output_tokens: output, cached_tokens: cached };
}

async function examine({ flag, model }: StartupModel, report: ReportFinding): Promise<void> {
  const started = performance.now();
  const facts = { flag, protocol: model.protocol, model: model.model };
  const name = `"${model.name}" (${model.protocol}, --${flag})`;
  try {
    await checkModel(model, { signal: new AbortController().signal, timeoutMs: CHECK_MS });
    const milliseconds = Math.round(performance.now() - started);
    report({ id: 'model', state: 'ok', text: `${name} in ${String(milliseconds)} ms`, facts: { ...facts, milliseconds } });
  } catch (error) {
    const text = isPlatenError(error) ? error.message : `${name} could not be checked`;
    report({ id: 'model', state: 'remark', text, fix: `correct --${flag}, or start its server`, facts });
  }
}
