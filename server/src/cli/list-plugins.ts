import type { Boot } from './boot.js';
import { fixOf } from './report-broken.js';

/** `platen plugins`: lists installed and enabled plugins, what each provides, and why a plugin cannot be loaded. */
export function listPlugins({ found, loaded, broken }: Pick<Boot, 'found' | 'loaded' | 'broken'>): string {
  const enabled = new Set(loaded.map(({ definition }) => definition.name));
  const entries = [...found]
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, version, packageName, directory, outputs, keys, flags }) => {
      const unusable = broken.find((plugin) => plugin.directory === directory);
      const state = unusable === undefined ? (enabled.has(name) ? '' : ' (disabled)') : ' (cannot be loaded)';
      const head = `${name} ${version}${state}  ${packageName}`;
      const facts = [
        ...(unusable === undefined ? [] : [row('cause', [String(unusable.fault)]), row('fix', [fixOf(unusable, loaded)])]),
        row('outputs', outputs),
        row('keys', keys),
        row(
          'flags',
          flags.map((flag) => `--${flag}`),
        ),
      ];
      return [head, ...facts.filter((fact) => fact !== '')].join('\n');
    });
  return `${entries.join('\n')}\n`;
}

function row(title: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `    ${title.padEnd(8)} ${names.join(', ')}`;
}
