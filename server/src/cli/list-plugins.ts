import { boot, type Boot, findBroken } from '../boot/boot.js';
import type { Catalog } from '../boot/catalog.js';
import type { Io } from '../boot/io.js';
import { fixOf } from '../boot/report-broken.js';
import { EXIT } from '../flags/exit-codes.js';
import { assertNoMore } from '../flags/usage-error.js';

/** `platen plugins`: lists installed and enabled plugins, what each provides, and why a plugin cannot be loaded. */
export async function listPlugins(args: readonly string[], io: Io, catalog: Catalog): Promise<number> {
  const booted = await boot(args, io, catalog);
  assertNoMore(booted.positionals, '`platen plugins` accepts only flags');
  io.stdout.write(formatPlugins(booted));
  return EXIT.ok;
}

function formatPlugins({ found, loaded, broken }: Pick<Boot, 'found' | 'loaded' | 'broken'>): string {
  const enabled = new Set(loaded.map(({ definition }) => definition.name));
  const entries = [...found]
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
    .map((plugin) => {
      const { name, version, packageName, outputs, keys, flags } = plugin;
      const unusable = findBroken(broken, plugin);
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
