import type { Api } from './api.js';
import type { Json } from './read-json.js';

const INVOICE = '<h1>Invoice 42</h1><p>Ten hours of work: 800 €</p>';
const PAGE_NUMBERS = '<span class="pageNumber"></span> / <span class="totalPages"></span>';

/** Requests without a URL are for the page in the form. */
export const EXAMPLES: readonly (readonly [title: string, params: Json])[] = [
  ['Whole page without banners', { output_type: 'png', full_page: true, remove_modals: true }],
  ['Phone in dark mode', { output_type: 'webp', device: 'iPhone 15', emulate_dark_mode: true }],
  ['A4 with page numbers', { output_type: 'pdf', pdf_format: 'A4', pdf_margin: '2cm', pdf_footer: PAGE_NUMBERS }],
  ['PDF of your HTML', { url: 'https://upload.invalid/', output_type: 'pdf', html: INVOICE, css: 'h1 { color: teal }' }],
  ['Article as Markdown', { output_type: 'markdown', main_content: true }],
  ['Links and metadata', { output_type: 'json', extract_links: true, extract_metadata: true }],
  ['Video of five seconds', { output_type: 'webm', video_duration: 5 }],
  ['Network waterfall', { output_type: 'har' }],
  ['Site as an archive', { output_type: 'wacz', crawl_links: true, crawl_max_links: 20 }],
  ['Accessibility tree', { output_type: 'axtree_json', full_page: true, with_output: ['png'] }],
];

/** The examples that this server can render. */
export function listExamples({ fields, outputs }: Api): typeof EXAMPLES {
  const keys = new Set(fields.map(({ key }) => key));
  const types = new Set<unknown>(outputs.map(({ type }) => type));
  return EXAMPLES.filter(([, params]) => types.has(params['output_type']) && Object.keys(params).every((key) => keys.has(key)));
}
