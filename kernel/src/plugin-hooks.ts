import { inspect } from 'node:util';
import { isContextLost } from './browser/protocol/network-errors.js';
import { documentReplaced } from './browser/page/one-document.js';
import type { EncodeContext, RenderContext } from './context.js';
import { isPlatenError, PlatenError } from './errors.js';
import { Stage, type KernelHooks, type PluginHooks, type TapOnly, type TapOptions } from './hooks.js';
import type { AssetCollector } from './output.js';
import type { Plugin } from './plugin.js';
import { createScope, type InScope } from './scope.js';

/** The part of a tapable hook that a tap needs. */
interface TappableHook<A extends unknown[], R> {
  readonly name?: string | undefined;
  tapPromise(options: TapOrigin & { name: string; stage: number }, fn: (...args: A) => Promise<R | undefined>): void;
}

/** What a plugin's tap adds to the options that tapable keeps. */
export interface TapOrigin {
  readonly isInScope: InScope;
  /** Created where the plugin taps the hook; its stack names the file. Formatting a stack costs more than creating it. */
  readonly tapped: Error;
}

/** One plugin's view of the kernel's hooks: it can tap them, but not call them. Errors of its taps name plugin and hook. */
export function createPluginHooks(hooks: KernelHooks, plugin: Plugin): PluginHooks {
  const facade = {
    beforeOpen: tapOnly(hooks.beforeOpen, plugin),
    beforeNavigate: tapOnly(hooks.beforeNavigate, plugin),
    navigate: tapOnly(hooks.navigate, plugin),
    waitFor: tapOnly(hooks.waitFor, plugin),
    interact: tapOnly(hooks.interact, plugin),
    beforeCapture: tapOnly(hooks.beforeCapture, plugin),
    capture: { for: (kind: string) => tapOnly(hooks.capture.for(kind), plugin) },
    additionalAssets: tapAssets(hooks.additionalAssets, plugin),
    captured: { for: (kind: string) => tapOnly(hooks.captured.for(kind), plugin, 1) },
    encode: { for: (type: string) => tapOnly(hooks.encode.for(type), plugin, 1) },
    encoded: tapOnly(hooks.encoded, plugin, 1),
  };
  // The plugin's parameter and capture types are derived from its declarations; at run time there is one kind of hook.
  return facade as unknown as PluginHooks;
}

/** The required string member of tap results, by hook. Plugins need not be written in TypeScript. */
const ANSWERS: Readonly<Record<string, string>> = { navigate: 'by', waitFor: 'condition' };

/** @param contextAt the index of the argument that has the plan, by which taps are in scope */
function tapOnly<A extends unknown[], R>(hook: TappableHook<A, R>, plugin: Plugin, contextAt = 0): TapOnly<A, R> {
  const { name } = plugin;
  const { name: hookName = 'unknown' } = hook;
  const member = ANSWERS[hookName];
  const add = (options: string | TapOptions, fn: (...args: A) => R | Promise<R>) => {
    const { stage = Stage.normal, for: scope }: Partial<TapOptions> = typeof options === 'string' ? {} : options;
    const isInScope = createScope(scope, plugin);
    hook.tapPromise({ name, stage, isInScope, tapped: new Error() }, async (...args) => {
      // Every hook has its context there.
      const { plan } = args[contextAt] as EncodeContext;
      if (!isInScope(plan)) return undefined;
      try {
        const answer = await fn(...args);
        if (member !== undefined && answer !== undefined) assertAnswer(answer, member);
        return answer;
      } catch (error) {
        throw attribute(error, name, hookName);
      }
    });
  };
  return { tap: add, tapPromise: add };
}

/** A result ends the hook, so an invalid result would end it by mistake. */
function assertAnswer(answer: unknown, member: string): void {
  const found: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, member) : undefined;
  if (typeof found !== 'string')
    throw new TypeError(`it must return { ${member}: string } or undefined, but returned ${inspect(answer, { depth: 0 })}`);
}

/** A tap that fails to create its assets does not stop the next taps. */
function tapAssets(hook: KernelHooks['additionalAssets'], plugin: Plugin): TapOnly<[RenderContext, AssetCollector], void> {
  const { tapPromise: add } = tapOnly(hook, plugin);
  const forgiving = (options: string | TapOptions, fn: (context: RenderContext, assets: AssetCollector) => void | Promise<void>) => {
    add(options, async (context, assets) => {
      try {
        await fn(context, { add: (asset) => assets.add(asset), isAfterFailure: () => assets.isAfterFailure() });
      } catch (error) {
        assets.failed(plugin.name, attribute(error, plugin.name, 'additionalAssets'));
      }
    });
  };
  return { tap: forgiving, tapPromise: forgiving };
}

/** The error to return: an error with a code is annotated with its origin, any other becomes a failure of the plugin. */
export function attribute(error: unknown, plugin: string, hook: string): PlatenError {
  if (isPlatenError(error)) return error.withOrigin(plugin, hook);
  // A page that navigates away is not a plugin failure.
  if (isContextLost(error)) return documentReplaced(error).withOrigin(plugin, hook);
  return new PlatenError('plugin_failed', `the plugin "${plugin}" failed in its hook "${hook}"`, { cause: error, plugin, hook });
}
