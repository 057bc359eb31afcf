import assert from 'node:assert/strict';
import satisfies from 'semver/functions/satisfies.js';
import { definePlugin, KERNEL_VERSION, type Plugin } from '../plugin.js';
import { createTestKernel } from './test-kernel.js';
import { generateManifest, platenField } from './manifest.js';
import type { PluginHooks, TapOnly } from '../hooks.js';

export interface ContractSubject {
  readonly plugin: Plugin;
  /** The plugin's package.json, parsed. */
  readonly manifest: unknown;
  /** The plugins that it requires. */
  readonly companions?: readonly Plugin[];
  /** The page for its outputs; default: a small page. */
  readonly url?: string;
  /** Startup flags without which its outputs render nothing, by flag name. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** The hooks, and `plan` or `validatePlan`, that every render needs and that therefore have no scope. Usually none. */
  readonly always?: readonly string[];
}

/** One rule of the plugin contract: fails by throwing. */
export interface ContractCheck {
  readonly name: string;
  run(): Promise<void> | void;
}

/**
 * The contract of every plugin, for any test runner: `for (const check of pluginContract({ plugin, manifest, companions })) it(check.name,
 * check.run);`
 */
export function pluginContract(subject: ContractSubject): readonly ContractCheck[] {
  return [...declarationChecks(subject), ...renderChecks(subject)];
}

/** Checks that do not run the plugin. */
function declarationChecks({ plugin, manifest }: ContractSubject): readonly ContractCheck[] {
  const { params = {}, flags = {} } = plugin;
  return [
    {
      name: 'its package.json matches its definition',
      run() {
        assert.deepEqual(generateManifest(manifest, [plugin]), manifest);
      },
    },
    {
      name: 'its range of kernel versions includes this kernel',
      run() {
        const { kernel } = platenField(manifest);
        assert.ok(typeof kernel === 'string' && satisfies(KERNEL_VERSION, kernel), `platen.kernel is ${String(kernel)}`);
      },
    },
    {
      name: 'its definition is frozen data',
      run() {
        assert.ok(Object.isFrozen(plugin), 'use definePlugin');
        const {
          plan: _plan,
          complete: _complete,
          validatePlan: _validatePlan,
          apply: _apply,
          prepare: _prepare,
          serve: _serve,
          commands = [],
          ...rest
        } = plugin;
        const data = { ...rest, commands: commands.map(({ run: _run, ...words }) => words) };
        assert.deepEqual(JSON.parse(JSON.stringify(data)), data);
      },
    },
    {
      name: 'every key and flag is described',
      run() {
        for (const [key, { description = '' }] of Object.entries({ ...params, ...flags })) {
          assert.match(description, /\w{3}/, `"${key}" has no description`);
        }
      },
    },
  ];
}

const SMALL_PAGE = 'data:text/html,<title>Contract</title><p>Hello';

/** An empty output, which does not affect other plugins. */
const PLAIN = definePlugin({
  name: 'contract-plain',
  captures: [{ kind: 'contract-plain' }],
  outputs: [{ type: 'contract-plain', from: 'contract-plain', contentType: 'text/plain', extension: 'txt' }],
  apply({ hooks }) {
    hooks.capture.for('contract-plain').tap('contract-plain', () => 'captured');
    hooks.encode.for('contract-plain').tap('contract-plain', () => ({ body: Buffer.of() }));
  },
});

/** Checks that need the plugin booted with its requirements. */
function renderChecks({ plugin, companions = [], url = SMALL_PAGE, flags = {}, always = [] }: ContractSubject): readonly ContractCheck[] {
  const { outputs = [], params = {} } = plugin;
  const plugins = [...companions, plugin];
  return [
    {
      name: 'it boots with what it requires, and every example of its keys is valid',
      async run() {
        await using host = createTestKernel({ plugins });
        for (const [key, { examples = [] }] of Object.entries(params)) {
          for (const example of examples) host.kernel.validate({ url: 'data:text/html,', [key]: example }, 'body');
        }
      },
    },
    {
      name: 'it runs no taps for a render that does not request it, except those in "always"',
      async run() {
        const called = new Set<string>();
        await using host = createTestKernel({ plugins: [...companions, noteCalls(plugin, called), PLAIN] });
        await host.render({ url: SMALL_PAGE, output_type: PLAIN.name });
        assert.deepEqual([...called].sort(), [...always].sort(), 'hooks of taps that need a scope ("for"), or plan functions ("planFor")');
      },
    },
    ...outputs.map(({ type, contentType, defaultFor }) => ({
      name: `its output type "${type}" renders a page`,
      async run() {
        await using host = createTestKernel({ plugins, flags });
        // The parameter that an output is the default for may be required.
        const [key] = [defaultFor ?? []].flat();
        const needed = key === undefined ? {} : { [key]: params[key]?.examples?.[0] };
        const result = await host.render({ url, output_type: type, ...needed });
        assert.equal(result.output.contentType.split(';')[0], contentType.split(';')[0]);
        assert.ok((await result.bytes()).length > 0, 'the body is empty');
      },
    })),
  ];
}

/** The plugin, which notes which of its taps and planning functions run: by hook, such as `beforeOpen` or `encode.png`. */
function noteCalls(plugin: Plugin, called: Set<string>): Plugin {
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
    interact: tapsOf(hooks.interact, 'interact'),
    beforeCapture: tapsOf(hooks.beforeCapture, 'beforeCapture'),
    capture: { for: (kind) => tapsOf(hooks.capture.for(kind), `capture.${kind}`) },
    additionalAssets: tapsOf(hooks.additionalAssets, 'additionalAssets'),
    captured: { for: (kind) => tapsOf(hooks.captured.for(kind), `captured.${kind}`) },
    encode: { for: (type) => tapsOf(hooks.encode.for(type), `encode.${type}`) },
    encoded: tapsOf(hooks.encoded, 'encoded'),
  });
  const { plan, validatePlan, apply } = plugin;
  return {
    ...plugin,
    ...(plan && { plan: noting('plan', plan) }),
    ...(validatePlan && { validatePlan: noting('validatePlan', validatePlan) }),
    ...(apply && { apply: (api) => apply({ ...api, hooks: hooksOf(api.hooks) }) }),
  };
}
