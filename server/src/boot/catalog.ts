import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  declarationsOf,
  type DiscoveredPlugin,
  discoverPlugins,
  type DiscoveryOptions,
  INSTALLATION,
  type LoadedPlugin,
  loadPlugins,
  PlatenError,
  type PluginLoad,
} from '@platen/kernel';
import { collectFlags } from '../flags/flag-set.js';
import { readAsked, type Asked } from './read-asked.js';
import { isBundle } from './bundle-home.js';
import { CLONE_FIXES, INSTALLED_FIXES, TRIMMED_FIXES, type Fixes } from './fixes.js';

/** The source of plugins: discovers them, and loads the selected ones. */
export interface Catalog {
  find(options: Pick<DiscoveryOptions, 'operatorDir' | 'extra'>): Promise<readonly DiscoveredPlugin[]>;
  load(enabled: readonly DiscoveredPlugin[]): Promise<PluginLoad>;
  /** The npm packages that a plugin depends on. */
  asked(plugin: DiscoveredPlugin): Promise<Asked>;
  /** Plugins that this build excludes: named in error texts. */
  readonly leftOut: readonly DiscoveredPlugin[];
  /** Startup flags without effect in this build: not offered. */
  readonly withoutFlags: readonly string[];
  /** Fixes for missing parts of the host. */
  readonly fixes: Fixes;
}

/** The plugins of this installation, of the operator's package.json, and those given by `--plugin`. */
export const installedCatalog: Catalog = {
  find: discoverPlugins,
  async load(enabled) {
    if (isBundle && enabled.some(({ isOwn }) => isOwn !== true)) await (await import('./share-modules.js')).shareModules();
    return await loadPlugins(enabled, collectFlags);
  },
  asked: ({ directory }) => readAsked(directory),
  leftOut: [],
  withoutFlags: [],
  // Packages from npm do not contain the setup.
  fixes: existsSync(join(INSTALLATION, 'server/setup')) ? CLONE_FIXES : INSTALLED_FIXES,
};

/** A plugin inside a bundle, which has no package.json to read. */
interface BuiltPlugin extends LoadedPlugin {
  readonly description?: string;
  /** Names of the npm packages that it depends on, directly and through Platen's own. */
  readonly asks: readonly string[];
}

/** For a plugin outside of the bundle: the parameters of a request or a command line. */
export type ExcludedPlugin = Pick<DiscoveredPlugin, 'name' | 'packageName' | 'version' | 'outputs' | 'keys' | 'flags'>;

/**
 * The plugins that a trimmed build was built with.
 * @public imported by the bundle that `src/trim/` makes
 */
export function createStaticCatalog(plugins: readonly BuiltPlugin[], leftOut: readonly ExcludedPlugin[]): Catalog {
  return {
    find({ extra: [named] = [] }) {
      if (named === undefined) return Promise.resolve(plugins.map(describe));
      throw new PlatenError('boot_unknown_plugin', `--plugin "${named}" cannot be added: this is a trimmed build`);
    },
    load(enabled) {
      const loaded = plugins.filter(({ definition }) => enabled.some(({ name }) => name === definition.name));
      return Promise.resolve({ loaded, broken: [] });
    },
    asked({ name, directory }) {
      const { asks = [] } = plugins.find(({ definition }) => definition.name === name) ?? {};
      return Promise.resolve(new Map(asks.map((asked) => [asked, directory])));
    },
    leftOut: leftOut.map(describeExcluded),
    withoutFlags: ['plugin'],
    fixes: TRIMMED_FIXES,
  };
}

function describeExcluded(plugin: ExcludedPlugin): DiscoveredPlugin {
  return { ...plugin, requires: [], directory: '', entry: '', kernelRange: '*', leftOut: true };
}

function describe({ definition, packageName, version, description }: BuiltPlugin): DiscoveredPlugin {
  // The whole bundle is one file: this one.
  const entry = fileURLToPath(import.meta.url);
  const place = { directory: dirname(entry), entry, kernelRange: '*' };
  return { ...declarationsOf(definition), packageName, version, ...place, ...(description === undefined ? {} : { description }) };
}

interface Chosen {
  readonly enabled: readonly DiscoveredPlugin[];
  readonly absent: readonly DiscoveredPlugin[];
}

/** Rejects a start that could serve no request: no enabled plugin has an output type. */
export function assertOutputs({ enabled, absent }: Chosen): void {
  if (enabled.some(({ outputs }) => outputs.length > 0)) return;
  const makers = absent.filter(({ outputs, leftOut }) => outputs.length > 0 && leftOut !== true).map(({ name }) => name);
  throw new PlatenError(
    'boot_missing_requirement',
    `no plugin with an output type is enabled: --plugins must include one that --disable-plugins does not disable (${makers.sort().join(', ')})`,
  );
}
