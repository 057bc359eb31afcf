import type { DiscoveredPlugin } from '@platen/kernel';
import type { Boot } from './boot.js';
import type { Io } from './io.js';

/** Reports each plugin that Platen skips because it cannot be loaded: a server in its log, a single capture on stderr. */
export function reportBroken({ broken, loaded, flags, log }: Pick<Boot, 'broken' | 'loaded' | 'flags' | 'log'>, { stderr }: Io): void {
  for (const plugin of broken) {
    const { name, packageName, version, fault } = plugin;
    const fix = fixOf(plugin, loaded);
    if (flags.server === true)
      log.warn({ plugin: name, package: packageName, version, fault, fix }, 'a plugin cannot be loaded and is skipped');
    else stderr.write(`platen: plugin "${name}" (${packageName}) is skipped: ${printable(String(fault))}\n  ${fix}\n`);
  }
}

/** The text of another program, on one line of a terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/** How the operator can fix the problem. A plugin can only be disabled by a name that no other plugin has. */
export function fixOf({ name, packageName }: DiscoveredPlugin, loaded: Boot['loaded']): string {
  const isShared = loaded.some(({ definition }) => definition.name === name);
  return `update or uninstall ${packageName}${isShared ? '' : `, or use --disable-plugins ${name}`}`;
}
