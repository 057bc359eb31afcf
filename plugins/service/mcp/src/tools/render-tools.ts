import type { ServerApi } from '@platen/kernel';
import type { Arguments } from './tool.js';

/** A tool that renders with some of the keys of a request. */
export interface RenderTool {
  readonly name: string;
  readonly description: string;
  /** Output types by the value of the argument `format`; the first enabled one is the default. Absent: any, by `output_type`. */
  readonly formats?: Readonly<Record<string, string>>;
  /** Keys of the request schema that are arguments, if they are enabled. Absent: every key. */
  readonly keys?: readonly string[];
  /** Without one of these keys there is no tool. */
  readonly required: readonly string[];
  /** Whether it has the argument `max_tokens`. */
  readonly returnsText?: boolean;
  /** Whether its text is JSON. */
  readonly returnsData?: boolean;
  /** Whether it may act on the site, beyond loading pages: by a navigator, by JavaScript. */
  readonly acts?: boolean;
  /** Adds what the tool sets itself. */
  complete?(params: Arguments): Arguments;
}

/** Pages of a crawl that names no limit: an agent waits for its end. */
const CRAWL_PAGES = 100;

const LOADING = ['wait_for', 'timeout'];

const TOOLS: readonly RenderTool[] = [
  {
    name: 'screenshot',
    description: 'Renders a web page as an image.',
    formats: { png: 'png', jpeg: 'jpg', webp: 'webp' },
    keys: [
      'url',
      'full_page',
      'image_selector',
      'browser_width',
      'browser_height',
      'device',
      'emulate_dark_mode',
      'remove_modals',
      ...LOADING,
    ],
    required: ['url'],
  },
  {
    name: 'read_page',
    description: 'Returns a web page as Markdown, plain text, HTML, accessibility tree, or as the answer of a language model (llm_text).',
    formats: { markdown: 'markdown', text: 'txt', html: 'html', tree: 'axtree', llm_text: 'llm_text' },
    keys: ['url', 'markdown_selector', 'llm_format_prompt', 'remove_modals', ...LOADING],
    required: ['url'],
    returnsText: true,
  },
  {
    name: 'pdf',
    description: 'Prints a web page as a PDF document.',
    formats: { pdf: 'pdf' },
    keys: ['url', 'pdf_landscape', 'pdf_width', 'pdf_height', ...LOADING],
    required: ['url'],
  },
  {
    name: 'extract',
    description: 'Extracts data from a web page as JSON that fits a JSON Schema, by a language model.',
    formats: { json: 'llm_json' },
    keys: ['url', 'llm_format_expects', 'llm_format_prompt', ...LOADING],
    required: ['url'],
    returnsText: true,
    returnsData: true,
  },
  {
    name: 'navigate',
    description:
      'A language model operates a page until a goal is reached: it clicks, types and follows links. Returns its answer, or the last page in another format.',
    formats: { answer: 'goal', screenshot: 'png', markdown: 'markdown', pdf: 'pdf' },
    keys: [
      'url',
      'navigate',
      'navigator_goal',
      'navigator_data',
      'navigator_credential',
      'navigator_allow_url',
      'navigator_max_steps',
      'timeout',
    ],
    required: ['url', 'navigate'],
    returnsText: true,
    acts: true,
  },
  {
    name: 'crawl',
    description: `Follows the links of a site, or the URLs of a sitemap, and archives the pages in one file. crawl_max_links is ${String(CRAWL_PAGES)} unless it is given.`,
    formats: { wacz: 'wacz', warc: 'warc' },
    keys: ['url', 'crawl_max_links', 'crawl_link_depth', 'crawl_url_is_sitemap', 'crawl_deny_url', 'crawl_allow_url', 'crawl_delay'],
    required: ['url', 'crawl_max_links'],
    complete: (params) => ({
      crawl_max_links: CRAWL_PAGES,
      ...(params['crawl_url_is_sitemap'] === undefined ? { crawl_links: true } : {}),
      ...params,
    }),
  },
  {
    name: 'render',
    description: 'Renders a web page into any output type, with any parameter of the server.',
    required: ['url', 'output_type'],
    returnsText: true,
    acts: true,
  },
];

/** A tool with what this server has of it. */
export interface EnabledTool extends Omit<RenderTool, 'formats' | 'keys'> {
  readonly formats?: readonly (readonly [format: string, outputType: string])[];
  readonly keys: readonly string[];
}

/** The tools whose output types and required keys are enabled. */
export function enabledTools({ schema, plugins }: Pick<ServerApi['kernel'], 'schema' | 'plugins'>): readonly EnabledTool[] {
  const types = new Set(plugins.flatMap(({ definition: { outputs = [] } }) => outputs.map(({ type }) => type)));
  return TOOLS.flatMap(({ formats, keys, ...tool }) => {
    const enabled = formats === undefined ? undefined : Object.entries(formats).filter(([, type]) => types.has(type));
    if (enabled?.length === 0 || !tool.required.every((key) => schema.keys.has(key))) return [];
    const known = keys?.filter((key) => schema.keys.has(key)) ?? [...schema.keys.keys()];
    return [{ ...tool, keys: known, ...(enabled === undefined ? {} : { formats: enabled }) }];
  });
}
