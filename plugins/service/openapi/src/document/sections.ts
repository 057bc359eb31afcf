import type { LoadedPlugin } from '@platen/kernel';

/** Headings of parameters by plugin, the most used first. Parameters of other plugins are listed under the plugin's name. */
const TITLES: Readonly<Record<string, string>> = {
  kernel: 'Request',
  target: 'Page and browser',
  wait: 'When the page is ready',
  screenshot: 'Images',
  bmp: 'Images',
  print: 'PDF',
  pdf: 'PDF',
  upload: 'HTML and files',
  prepare: 'Changes to the page',
  steps: 'Changes to the page',
  modals: 'Banners and ads',
  adblock: 'Banners and ads',
  block: 'Banners and ads',
  emulate: 'Emulation',
  frames: 'Video and animations',
  dom: 'Markdown and text',
  markdown: 'Markdown and text',
  extract: 'Data',
  walk: 'Crawling',
  links: 'Crawling',
  sitemap: 'Crawling',
  jsonl: 'Crawling',
  robots: 'Crawling',
  network: 'Archives',
  har: 'Archives',
  warc: 'Archives',
  wacz: 'Archives',
  replay: 'Archives',
  compare: 'Visual tests',
  freeze: 'Visual tests',
  mask: 'Visual tests',
  llm: 'Language models',
  navigate: 'Navigation by a model',
  axtree: 'Accessibility tree',
  proxy: 'Network and identity',
  'web-bot-auth': 'Network and identity',
  trace: 'Traces and profiles',
  pprof: 'Traces and profiles',
};

const ASSETS = 'Additional assets';
/** Plugins whose assets are the least of what they do. */
const MORE_THAN_ASSETS: ReadonlySet<string> = new Set(['compare', 'replay']);
const DIAGNOSTICS = 'Server';

/** The heading of a parameter: of the asset that it enables, or of its plugin. */
export function createSections(plugins: readonly LoadedPlugin[]): (key: string, owner: string) => string {
  const assets = plugins.flatMap(({ definition }) => definition.assets ?? []);
  const switches = new Set(assets.map(({ key }) => key));
  const recorders = new Set(
    plugins
      .filter(
        ({ definition: { name, assets: own = [], outputs = [] } }) => own.length > 0 && outputs.length === 0 && !MORE_THAN_ASSETS.has(name),
      )
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
