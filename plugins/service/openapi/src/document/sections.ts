import type { LoadedPlugin } from '@platen/kernel';

/** Headings of parameters, in display order. Parameters of other plugins are listed under the plugin's name. */
const TITLES: Readonly<Record<string, string>> = {
  kernel: 'Request',
  target: 'Target and browser',
  wait: 'When the page is ready',
  emulate: 'Emulation',
  screenshot: 'Images',
  bmp: 'Images',
  frames: 'Video and animations',
  print: 'PDF',
  pdf: 'PDF',
  markdown: 'Markdown',
  axtree: 'Accessibility tree',
  har: 'Network archive',
  network: 'Network archive',
  trace: 'Traces and profiles',
  pprof: 'Traces and profiles',
};

const ASSETS = 'Additional assets';
const DIAGNOSTICS = 'Server';

/** The heading of a parameter: of the asset that it enables, or of its plugin. */
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

/** Sorts headings: known ones, then others in given order, then additional assets. */
export function orderSections(given: Iterable<string>): readonly string[] {
  const known = [...new Set(Object.values(TITLES))];
  const last = [ASSETS, DIAGNOSTICS];
  const rank = (title: string) => (last.includes(title) ? 1000 + last.indexOf(title) : known.includes(title) ? known.indexOf(title) : 500);
  return [...new Set(given)].sort((a, b) => rank(a) - rank(b));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
