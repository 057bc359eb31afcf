import type { Boot } from './boot.js';

/** `platen plugins`: what is installed, what is enabled, what each brings. */
export function listPlugins({ found, loaded }: Pick<Boot, 'found' | 'loaded'>): string {
  const enabled = new Set(loaded.map(({ definition }) => definition.name));
  const entries = [...found]
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ name, version, packageName, outputs, keys, flags }) => {
      const head = `${name} ${version}${enabled.has(name) ? '' : ' (disabled)'}  ${packageName}`;
      const facts = [
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
