import type { ServerApi } from '@platen/kernel';
import type { Arguments } from './tool.js';

interface FormatParams {
  readonly output_type: string;
  readonly [key: string]: unknown;
}

/** Where a model comes from. */
interface ModelSource {
  /** Startup flags: any of them configures one. */
  readonly flags: readonly string[];
  /** The argument that names one for a call, if no flag does. */
  readonly key: string;
}

interface WithoutModel {
  readonly output_type: string;
  readonly keys: readonly string[];
  /** The argument that is required without any of the keys. */
  readonly model?: string | undefined;
}

/** A tool that renders with some of the keys of a request. */
export interface RenderTool {
  readonly name: string;
  readonly description: string;
  /** Parameters by the value of the argument `format`; the first enabled one is the default. Absent: any, by `output_type`. */
  readonly formats?: Readonly<Record<string, FormatParams>>;
  /** Keys of the request schema that are arguments, if they are enabled. Absent: every key. */
  readonly keys?: readonly string[];
  /** Without one of these keys there is no tool. */
  readonly required: readonly string[];
  /** The language model that it needs. */
  readonly model?: ModelSource;
  /** The output type if one of these keys is an argument: it needs no model. */
  readonly withoutModel?: WithoutModel;
  /** Whether it has the argument `max_tokens`. */
  readonly returnsText?: boolean;
  /** Whether its text is JSON. */
  readonly returnsData?: boolean;
  /** Whether it may act on the site, beyond loading pages: by a navigator, by JavaScript. */
  readonly acts?: boolean;
  /** Adds what the tool sets itself. An output type takes the place of the first format, for calls that name none. */
  complete?(params: Arguments): Arguments;
}

/** Pages of a crawl that names no limit: an agent waits for its end. */
const CRAWL_PAGES = 100;

const LOADING = ['wait_for', 'timeout'];

const TOOLS: readonly RenderTool[] = [
  {
    name: 'screenshot',
    description: 'Renders a web page as an image.',
    formats: { png: { output_type: 'png' }, jpeg: { output_type: 'jpg' }, webp: { output_type: 'webp' } },
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
    description: 'Returns the content of a web page as text: Markdown (gfm: with tables), plain text, HTML, or its accessibility tree.',
    formats: {
      markdown: { output_type: 'markdown' },
      gfm: { output_type: 'markdown', markdown_format: 'gfm' },
      text: { output_type: 'txt' },
      html: { output_type: 'html' },
      tree: { output_type: 'axtree' },
    },
    keys: ['url', 'markdown_selector', 'remove_modals', ...LOADING],
    required: ['url'],
    returnsText: true,
  },
  {
    name: 'pdf',
    description: 'Prints a web page as a PDF document.',
    formats: { pdf: { output_type: 'pdf' } },
    keys: ['url', 'pdf_landscape', 'pdf_width', 'pdf_height', ...LOADING],
    required: ['url'],
  },
  {
    name: 'extract',
    description:
      'Returns data of a web page: by CSS selectors, its metadata or links; or as a language model reads it by llm_format_prompt, in the shape of llm_format_expects.',
    formats: { json: { output_type: 'llm_json' }, text: { output_type: 'llm_text' } },
    model: { flags: ['llm-format-model'], key: 'llm_format_model' },
    withoutModel: { output_type: 'json', keys: ['extract', 'extract_metadata', 'extract_links'] },
    keys: ['url', 'llm_format_expects', 'llm_format_prompt', ...LOADING],
    required: ['url'],
    returnsText: true,
    returnsData: true,
  },
  {
    name: 'navigate',
    description:
      'A language model clicks, types and follows links until the task in navigate is done. Returns its answer, or the last page.',
    formats: {
      answer: { output_type: 'goal' },
      screenshot: { output_type: 'png' },
      markdown: { output_type: 'markdown' },
      pdf: { output_type: 'pdf' },
    },
    model: { flags: ['navigator-type', 'llm-format-model'], key: 'navigator_type' },
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
    description: `Follows the links of a site, or the URLs of a sitemap. Returns the pages as an archive, or their content as JSON Lines. crawl_max_links is ${String(CRAWL_PAGES)} unless it is given.`,
    formats: { wacz: { output_type: 'wacz' }, warc: { output_type: 'warc' }, jsonl: { output_type: 'jsonl' } },
    keys: ['url', 'crawl_max_links', 'crawl_link_depth', 'crawl_url_is_sitemap', 'crawl_deny_url', 'crawl_allow_url', 'crawl_delay'],
    required: ['url', 'crawl_max_links'],
    returnsText: true,
    complete: (params) => ({
      crawl_max_links: CRAWL_PAGES,
      ...(params['crawl_url_is_sitemap'] === undefined ? { crawl_links: true } : {}),
      ...(params['crawl_content'] === undefined ? {} : { output_type: 'jsonl' }),
      ...params,
    }),
  },
  {
    name: 'render',
    description:
      'Renders a web page into any output type, with any parameter of the server: the description of its arguments names those that are not among the properties.',
    required: ['url', 'output_type'],
    returnsText: true,
    acts: true,
  },
];

/** A tool with what this server has of it. */
export interface EnabledTool extends Omit<RenderTool, 'formats' | 'keys' | 'model'> {
  readonly formats?: readonly (readonly [format: string, params: FormatParams])[];
  readonly keys: readonly string[];
}

/** The tools whose output types, required keys and models are enabled. */
export function enabledTools({ kernel: { schema, plugins }, isGiven }: Pick<ServerApi, 'kernel' | 'isGiven'>): readonly EnabledTool[] {
  const types = new Set(plugins.flatMap(({ definition: { outputs = [] } }) => outputs.map(({ type }) => type)));
  return TOOLS.flatMap(({ formats, keys = [...schema.keys.keys()], model, withoutModel: without, ...tool }) => {
    const enabled = formats === undefined ? undefined : Object.entries(formats).filter(([, { output_type: type }]) => types.has(type));
    const needed = model === undefined || model.flags.some((flag) => isGiven(flag)) ? [] : [model.key];
    const withoutModel = without !== undefined && types.has(without.output_type) ? { ...without, model: needed[0] } : undefined;
    const required = [...tool.required, ...(withoutModel === undefined ? needed : [])];
    if ((enabled?.length === 0 && withoutModel === undefined) || !required.every((key) => schema.keys.has(key))) return [];
    const added = [...schema.keys].filter(([, { fragment }]) => fragment['x-tools']?.includes(tool.name)).map(([key]) => key);
    const known = [...new Set([...keys, ...added, ...needed])].filter((key) => schema.keys.has(key));
    return [{ ...tool, required, keys: known, ...(enabled && { formats: enabled }), ...(withoutModel && { withoutModel }) }];
  });
}
