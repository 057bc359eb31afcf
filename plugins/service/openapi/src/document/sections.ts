import type { LoadedPlugin } from '@platen/kernel';

/** Headings under which people look for keys, in the order in which they are shown; another plugin's keys stand under its name. */
const TITLES: Readonly<Record<string, string>> = {
  kernel: 'Request',
  target: 'Target and browser',
  wait: 'When the page is ready',
  emulate: 'Emulation',
  pixels: 'Pictures',
  bmp: 'Pictures',
  frames: 'Films and animations',
  print: 'PDF',
  pdf: 'PDF',
  markdown: 'Markdown',
  axtree: 'Accessibility tree',
  har: 'Network archive',
  exchanges: 'Network archive',
  trace: 'Traces and profiles',
  pprof: 'Traces and profiles',
};

const ASSETS = 'Additional assets';
const DIAGNOSTICS = 'Server';

/** The heading of a key: of what it switches on beside the output, or of its plugin. */
export function createSections(plugins: readonly LoadedPlugin[]): (key: string, owner: string) => string {
  const assets = plugins.flatMap(({ definition }) => definition.assets ?? []);
  const switches = new Set(assets.map(({ key }) => key));
  const recorders = new Set(
    plugins
      .filter(({ definition: { assets: own = [], outputs = [] } }) => own.length > 0 && outputs.length === 0)
      .map(({ definition: { name } }) => name),
  );
  return (key, owner) => {
    if (switches.has(key) || recorders.has(owner)) return ASSETS;
    return TITLES[owner] ?? (owner === 'diagnostics' ? DIAGNOSTICS : capitalize(owner.replaceAll('-', ' ')));
  };
}

/** Headings in their order: those that are known, others as they come, what stands beside the output last. */
export function orderSections(given: Iterable<string>): readonly string[] {
  const known = [...new Set(Object.values(TITLES))];
  const last = [ASSETS, DIAGNOSTICS];
  const rank = (title: string) => (last.includes(title) ? 1000 + last.indexOf(title) : known.includes(title) ? known.indexOf(title) : 500);
  return [...new Set(given)].sort((a, b) => rank(a) - rank(b));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
