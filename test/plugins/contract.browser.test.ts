import type { Plugin } from '@platen/kernel';
import { pluginContract, type ContractSubject } from '@platen/kernel/testing';
import { afterAll, describe, it } from 'vitest';
import { importPlugin, listPlugins, readManifest, type WorkspacePlugin } from '../architecture/workspaces.js';
import { openModelServer } from '../helpers/model-server.js';
import { done } from '../helpers/navigator-script.js';
import { openSite } from '../helpers/site.js';

// The contract of every plugin of this repository, each with the plugins that it requires.

const model = await openModelServer('openai', ({ schema }) =>
  schema === undefined ? { text: 'A page.' } : { value: { actions: [done('A page.')] } },
);
const site = await openSite({ '/': '<title>Contract</title><p>Hello' });
afterAll(() => Promise.all([model[Symbol.asyncDispose](), site[Symbol.asyncDispose]()]));

interface Special extends Pick<ContractSubject, 'always' | 'flags' | 'url'> {
  /** Plugins besides those that it requires. */
  readonly with?: readonly string[];
}

/** What single plugins need, by name. */
const SPECIAL: Readonly<Record<string, Special>> = {
  download: { url: 'data:application/octet-stream,contract' },
  egress: { always: ['additionalAssets'] },
  ffmpeg: { always: ['beforeOpen'] },
  jsonl: { with: ['markdown'], url: site.url('/') },
  llm: { with: ['openai'], flags: { 'llm-format-model': model.connection() } },
  navigate: { with: ['openai'], flags: { 'navigator-type': [model.connection()] } },
  'navigator-scripts': { with: ['openai'], flags: { 'navigator-type': [model.connection()] } },
  network: { always: ['beforeNavigate'] },
  robots: { always: ['beforeOpen', 'beforeNavigate', 'navigate', 'waitFor', 'beforeCapture'] },
  storage: { with: ['target'] },
  wacz: { url: site.url('/') },
  warc: { with: ['target', 'wait'], url: site.url('/') },
};

/** Recording these is slow: ./output/film-render.slow.test.ts tests their contracts. */
const SLOW: ReadonlySet<string> = new Set(['apng', 'gif', 'mkv', 'mp4', 'webm']);

const known = new Map(listPlugins().map((plugin) => [plugin.name, plugin]));

/** Plugins and those that they require, each after what it requires. */
function withRequired(names: readonly string[], found = new Set<WorkspacePlugin>()): ReadonlySet<WorkspacePlugin> {
  for (const name of names) {
    const plugin = known.get(name);
    if (plugin === undefined) throw new Error(`no workspace has the plugin ${name}`);
    withRequired(plugin.requires, found);
    found.add(plugin);
  }
  return found;
}

const subjects: readonly ContractSubject[] = await Promise.all(
  [...known.values()]
    .filter(({ name }) => !SLOW.has(name))
    .map(async (plugin) => {
      const { with: others = [], ...special } = SPECIAL[plugin.name] ?? {};
      const companions = [...withRequired([...plugin.requires, ...others])].filter((one) => one !== plugin);
      return {
        plugin: await importPlugin(plugin),
        manifest: readManifest(plugin.folder),
        companions: await Promise.all(companions.map((one): Promise<Plugin> => importPlugin(one))),
        ...special,
      };
    }),
);

describe.each(subjects)('the plugin $plugin.name', (subject) => {
  for (const check of pluginContract(subject)) it(check.name, check.run);
});
