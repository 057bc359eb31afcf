import assert from 'node:assert/strict';
import { satisfies } from 'semver';
import { definePlugin, type Plugin } from '../plugin.js';
import { KERNEL_VERSION } from '../version.js';
import { noteCalls } from './note-calls.js';
import { createTestKernel } from './test-kernel.js';

export interface ContractSubject {
  readonly plugin: Plugin;
  /** The plugin's package.json, parsed. */
  readonly manifest: unknown;
  /** The plugins that it requires. */
  readonly companions?: readonly Plugin[];
  /** The page for its outputs; default: a small page. */
  readonly url?: string;
  /** The hooks, and `plan` or `validatePlan`, that every render needs and that therefore have no scope. Usually none. */
  readonly always?: readonly string[];
}

/** One rule of the plugin contract: fails by throwing. */
export interface ContractCheck {
  readonly name: string;
  run(): Promise<void> | void;
}

interface Manifest {
  readonly kernel?: unknown;
  readonly name?: unknown;
  readonly requires?: unknown;
  readonly outputs?: unknown;
  readonly keys?: unknown;
  readonly flags?: unknown;
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
  const { outputs = [], params = {}, flags = {}, requires = [] } = plugin;
  const platen = platenField(manifest);
  return [
    {
      name: 'its package.json says what its definition says',
      run() {
        assert.equal(platen.name, plugin.name, 'platen.name');
        const types = outputs.map(({ type }) => type);
        assertSameNames(platen.requires, requires, 'platen.requires');
        assertSameNames(platen.outputs, types, 'platen.outputs');
        assertSameNames(platen.keys, Object.keys(params), 'platen.keys');
        assertSameNames(platen.flags, Object.keys(flags), 'platen.flags');
      },
    },
    {
      name: 'it names the kernels that it is made for, and this is one of them',
      run() {
        const { kernel } = platen;
        assert.ok(typeof kernel === 'string' && satisfies(KERNEL_VERSION, kernel), `platen.kernel is ${String(kernel)}`);
      },
    },
    {
      name: 'its definition is frozen data',
      run() {
        assert.ok(Object.isFrozen(plugin), 'use definePlugin');
        const {
          plan: _plan,
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
    hooks.encode.for('contract-plain').tap('contract-plain', () => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.of() }));
  },
});

/** Checks that need the plugin booted with its requirements. */
function renderChecks({ plugin, companions = [], url = SMALL_PAGE, always = [] }: ContractSubject): readonly ContractCheck[] {
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
      name: 'it costs a render that does not ask for it nothing, but for what it always needs',
      async run() {
        const called = new Set<string>();
        await using host = createTestKernel({ plugins: [...companions, noteCalls(plugin, called), PLAIN] });
        await host.render({ url: SMALL_PAGE, output_type: PLAIN.name });
        assert.deepEqual([...called].sort(), [...always].sort(), 'hooks of taps that need a scope ("for"), or plan functions ("planFor")');
      },
    },
    ...outputs.map(({ type, contentType }) => ({
      name: `its output type "${type}" renders a page`,
      async run() {
        await using host = createTestKernel({ plugins });
        const result = await host.render({ url, output_type: type });
        assert.equal(result.output.contentType.split(';')[0], contentType.split(';')[0]);
        assert.ok((await result.bytes()).length > 0, 'the body is empty');
      },
    })),
  ];
}

function platenField(manifest: unknown): Manifest {
  assert.ok(typeof manifest === 'object' && manifest !== null && 'platen' in manifest, 'package.json has no "platen" field');
  assert.ok(typeof manifest.platen === 'object' && manifest.platen !== null, '"platen" must be an object');
  return manifest.platen;
}

function assertSameNames(said: unknown, defined: readonly string[], field: string): void {
  assert.ok(said === undefined || Array.isArray(said), `${field} must be a list`);
  const names: unknown[] = said ?? [];
  assert.deepEqual(names.map(String).sort(), [...defined].sort(), field);
}
