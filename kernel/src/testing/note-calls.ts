import type { PluginHooks, TapOnly } from '../hooks.js';
import type { Plugin } from '../plugin.js';

/** The plugin, which notes which of its taps and planning functions run: by hook, such as `beforeOpen` or `encode.png`. */
export function noteCalls(plugin: Plugin, called: Set<string>): Plugin {
  const noting = <A extends readonly unknown[], R>(name: string, fn: (...args: A) => R) => {
    return (...args: A): R => {
      called.add(name);
      return fn(...args);
    };
  };
  const tapsOf = <A extends readonly unknown[], R>(hook: TapOnly<A, R>, name: string): TapOnly<A, R> => ({
    tap: (options, fn) => {
      hook.tap(options, noting(name, fn));
    },
    tapPromise: (options, fn) => {
      hook.tapPromise(options, noting(name, fn));
    },
  });
  const hooksOf = (hooks: PluginHooks): PluginHooks => ({
    beforeOpen: tapsOf(hooks.beforeOpen, 'beforeOpen'),
    beforeNavigate: tapsOf(hooks.beforeNavigate, 'beforeNavigate'),
    navigate: tapsOf(hooks.navigate, 'navigate'),
    waitFor: tapsOf(hooks.waitFor, 'waitFor'),
    beforeCapture: tapsOf(hooks.beforeCapture, 'beforeCapture'),
    capture: { for: (kind) => tapsOf(hooks.capture.for(kind), `capture.${kind}`) },
    additionalAssets: tapsOf(hooks.additionalAssets, 'additionalAssets'),
    encode: { for: (type) => tapsOf(hooks.encode.for(type), `encode.${type}`) },
  });
  const { plan, validatePlan, apply } = plugin;
  return {
    ...plugin,
    ...(plan && { plan: noting('plan', plan) }),
    ...(validatePlan && { validatePlan: noting('validatePlan', validatePlan) }),
    ...(apply && { apply: (api) => apply({ ...api, hooks: hooksOf(api.hooks) }) }),
  };
}
