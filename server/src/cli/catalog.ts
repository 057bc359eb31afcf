import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discoverPlugins, loadPlugins, PlatenError, type DiscoveredPlugin, type DiscoveryOptions, type LoadedPlugin } from '@platen/kernel';

/** Where plugins come from: found first, loaded once it is decided which. */
export interface Catalog {
  find(options: Pick<DiscoveryOptions, 'operatorDir' | 'extra'>): Promise<readonly DiscoveredPlugin[]>;
  load(enabled: readonly DiscoveredPlugin[]): Promise<readonly LoadedPlugin[]>;
}

/** The folder that holds `plugins/<family>/<name>/`. */
const INSTALLATION = fileURLToPath(new URL('../../..', import.meta.url));

/** The plugins of this installation, of the operator's package.json, and those that `--plugin` names. */
export const installedCatalog: Catalog = {
  find: (options) => discoverPlugins({ installation: INSTALLATION, ...options }),
  load: loadPlugins,
};

/**
 * A trimmed build's plugins: those that it was built with.
 *
 * @public imported by the bundle that `src/trim/` makes
 */
export function createStaticCatalog(plugins: readonly LoadedPlugin[]): Catalog {
  return {
    find({ extra: [named] = [] }) {
      if (named === undefined) return Promise.resolve(plugins.map(describe));
      throw new PlatenError('boot_unknown_plugin', `--plugin "${named}" cannot be added: this is a trimmed build`);
    },
    load: (enabled) => Promise.resolve(plugins.filter(({ definition }) => enabled.some(({ name }) => name === definition.name))),
  };
}

function describe({ definition, packageName, version }: LoadedPlugin): DiscoveredPlugin {
  const { name, requires = [], outputs = [], params = {}, flags = {} } = definition;
  // Everything is in one bundle: this file.
  const entry = fileURLToPath(import.meta.url);
  return {
    ...{ name, packageName, version, requires, directory: dirname(entry), entry, kernelRange: '*' },
    outputs: outputs.map(({ type }) => type),
    keys: Object.keys(params),
    flags: Object.keys(flags),
  };
}
