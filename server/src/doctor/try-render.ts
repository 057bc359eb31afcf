import { isPlatenError, type Kernel, type RenderPlan } from '@platen/kernel';
import { withCause } from '../cli/explain-error.js';
import type { Finding } from './report.js';

/** Rendered like any other page, without keys that belong to a plugin: only a screenshot proves that screenshots work. */
const PAGE = { url: 'data:text/html,<title>ok</title>' };

/** Renders through the kernel, with the flags of a start. */
export async function tryRender(createKernel: () => Kernel, sandbox: 'on' | 'off'): Promise<Finding> {
  const started = performance.now();
  try {
    const kernel = createKernel();
    try {
      const plan = planPage(kernel);
      const { output } = await kernel.render(plan);
      const milliseconds = Math.round(performance.now() - started);
      const bytes = Buffer.isBuffer(output.body) ? output.body.length : undefined;
      if (bytes === 0) throw new Error('the picture is empty');
      const facts = { milliseconds, sandbox: sandbox === 'on', output_type: plan.output.type };
      const text = `a page as ${plan.output.type} in ${milliseconds} ms from a cold start, sandbox ${sandbox === 'on' ? 'on' : 'off, as asked'}`;
      return { id: 'render', state: sandbox === 'on' ? 'ok' : 'remark', text, facts };
    } finally {
      await kernel.close(0);
    }
  } catch (error) {
    // The output of a browser that does not start names the missing part. The doctor has no log that could contain it.
    const text = isPlatenError(error) ? withCause(error) : String(error);
    return { id: 'render', state: 'missing', text, facts: { code: isPlatenError(error) ? error.code : null } };
  }
}

/** The default output type; if it is not enabled, the first enabled one. */
function planPage(kernel: Kernel): RenderPlan {
  const plan = (raw: object) => kernel.plan(kernel.validate(raw, 'flags'));
  try {
    return plan(PAGE);
  } catch (error) {
    const [output_type] = kernel.plugins.flatMap(({ definition: { outputs = [] } }) => outputs.map(({ type }) => type));
    if (output_type === undefined) throw error;
    return plan({ ...PAGE, output_type });
  }
}
