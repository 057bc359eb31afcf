import { type KernelHooks, Stage } from './hooks.js';
import type { ExplainedHook } from './kernel-contract.js';
import type { LoadedPlugin } from './plugin.js';
import type { TapOrigin } from './plugin-hooks.js';
import type { Registry } from './registry.js';
import type { RenderPlan } from './render-plan.js';

/** The plugins whose `plan` and `validatePlan` run for a plan, then the hooks of its render, each with the taps that run. */
export function explainPlan(plan: RenderPlan, { plugins, planScopes }: Registry, hooks: KernelHooks): readonly ExplainedHook[] {
  const planners = (verb: 'plan' | 'validatePlan'): ExplainedHook => ({
    name: verb,
    taps: plugins
      .filter(({ definition }: LoadedPlugin) => definition[verb] !== undefined && planScopes.get(definition)?.(plan) === true)
      .map(({ definition, packageName }) => ({ plugin: definition.name, stage: Stage.normal, file: packageName })),
  });
  const further = plan.assets.flatMap((asset) => asset.further ?? []);
  const called = [
    ...[hooks.beforeOpen, hooks.beforeNavigate, hooks.navigate, hooks.waitFor, hooks.interact, hooks.beforeCapture],
    ...[...new Set([plan.capture, ...further.map(({ capture }) => capture)].map(({ kind }) => kind))].map((kind) =>
      hooks.capture.for(kind),
    ),
    ...[hooks.additionalAssets, hooks.captured.for(plan.capture.kind)],
    ...[plan.output, ...further.map(({ output }) => output)].map(({ type }) => hooks.encode.for(type)),
    hooks.encoded,
  ];
  return [planners('plan'), planners('validatePlan'), ...called.map((hook) => explainHook(hook, plan))];
}

function explainHook({ name = '', taps }: { name?: string | undefined; taps: readonly unknown[] }, plan: RenderPlan): ExplainedHook {
  // tapable keeps the options of a tap and forgets their type; every tap is added by `createPluginHooks`.
  const added = taps as readonly (TapOrigin & { readonly name: string; readonly stage: number })[];
  return {
    name,
    taps: added
      .filter(({ isInScope }) => isInScope(plan))
      .map(({ name: plugin, stage, tapped }) => ({ plugin, stage, file: fileOf(tapped) })),
  };
}

const FRAME = /(?:file:\/\/)?(\/[^()]*|[A-Z]:[^()]*):(\d+):\d+\)?$/i;

/** The first frame of a stack outside of the kernel's own facade, as `path:line`. */
function fileOf({ stack = '' }: Error): string | undefined {
  for (const line of stack.split('\n')) {
    const [, path, number] = FRAME.exec(line) ?? [];
    if (path !== undefined && !/[\\/]plugin-hooks\.[jt]s$/.test(path)) return `${path}:${number ?? ''}`;
  }
  return undefined;
}
