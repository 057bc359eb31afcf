/** A section of the interface specification, or of the keys beyond it. */
interface Section {
  readonly title: string;
  /** The section in one word. */
  readonly name: string;
  /** Its keys; an entry that ends in `_` covers all keys with that prefix. */
  readonly keys: readonly string[];
}

/** The sections in the published order. A key belongs to the first section that has it. */
const SECTIONS: readonly Section[] = [
  {
    title: 'Target and browser',
    name: 'target',
    keys: [
      ...[
        'url',
        'accept_language',
        'browser_',
        'cookie',
        'header',
        'device',
        'device_scale_factor',
        'user_agent',
        'platform',
        'javascript',
      ],
      ...['fail', 'full_page', 'timeout', 'no_timeout', 'wait_for', 'remove_modals', 'skip_robots_txt', 'web_bot_auth', 'diagnostics'],
    ],
  },
  { title: 'Emulation', name: 'emulation', keys: ['emulate_'] },
  { title: 'Output selection', name: 'output', keys: ['output_type', 'with_output', 'main_content'] },
  { title: 'Image and video output', name: 'image', keys: ['bmp_', 'image_', 'video_'] },
  { title: 'PDF output', name: 'pdf', keys: ['pdf_'] },
  { title: 'Markdown output', name: 'markdown', keys: ['markdown_'] },
  { title: 'Language-model output', name: 'llm', keys: ['llm_'] },
  {
    title: 'Accessibility tree, HAR, archive, crawl',
    name: 'archive',
    keys: ['axtree_', 'with_axtree', 'har_', 'warc_', 'archive_', 'crawl_'],
  },
  { title: 'Navigator', name: 'navigator', keys: ['navigate', 'navigator_'] },
  { title: 'Profiles, traces, storage', name: 'profiles', keys: ['pprof_', 'trace_', 'with_storage', 'storage_'] },
  { title: 'Additional assets', name: 'assets', keys: ['with_'] },
  // Beyond the interface specification.
  { title: 'Supplied documents', name: 'documents', keys: ['html', 'upload'] },
  {
    title: 'Preparation',
    name: 'preparation',
    keys: ['css', 'hide_selector', 'remove_selector', 'steps', 'click_selector', 'wait_after', 'capture_on_timeout'],
  },
  { title: 'Network', name: 'network', keys: ['block_', 'proxy'] },
  { title: 'Data output', name: 'data', keys: ['extract', 'extract_'] },
  {
    title: 'Replay, comparison, frozen pages',
    name: 'repeat',
    keys: ['replay', 'replay_', 'compare', 'compare_', 'freeze', 'freeze_', 'mask', 'mask_'],
  },
];

export interface KeyGroup {
  readonly title: string;
  /** One word: the section's, or the plugin's. */
  readonly name: string;
  readonly keys: readonly string[];
}

/**
 * Keys by section, in the order of the interface specification; other keys come last, grouped by the plugin that owns them.
 *
 * @param owners every key with the name of its owner
 */
export function groupKeys(owners: ReadonlyMap<string, string>): readonly KeyGroup[] {
  const placed = [...owners].map(([key, owner]) => ({ key, ...placeOf(key, owner) }));
  const sorted = placed.sort((a, b) => a.section - b.section || a.place - b.place);
  return [...new Map(sorted.map(({ title, name }) => [title, name]))].map(([title, name]) => ({
    title,
    name,
    keys: sorted.filter((placing) => placing.title === title).map(({ key }) => key),
  }));
}

function placeOf(key: string, owner: string) {
  const has = (pattern: string) => pattern === key || (pattern.endsWith('_') && key.startsWith(pattern));
  const section = SECTIONS.findIndex(({ keys }) => keys.some(has));
  const { title, name, keys } = SECTIONS[section] ?? { title: `Plugin "${owner}"`, name: owner, keys: [] };
  return { title, name, section: section === -1 ? SECTIONS.length : section, place: keys.findIndex(has) };
}
