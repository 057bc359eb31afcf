import type { Fragments, InferParams } from '@platen/kernel';

export const EXTRACT_PARAMS = {
  extract: {
    type: ['object', 'string'],
    'x-extension': true,
    'x-tools': ['extract', 'crawl'],
    description:
      'Values of elements by name: a CSS selector for the text of its first match, or {selector, attribute, type: text|html|markdown|number|url, all, required, fields}. "fields" are the same within each match, at most 5 deep. In a query: as JSON text. Sets output_type=json.',
    'x-expects': 'an object whose values are CSS selectors, or objects with "selector"',
    examples: [
      '{"title": "h1"}',
      { title: 'h1', links: { selector: 'a', attribute: 'href', all: true } },
      { products: { selector: '.product', all: true, fields: { name: 'h2', price: { selector: '.price', type: 'number' } } } },
    ],
    'x-synonyms': { elements: true, scrape: true, selectors: true, extract_rules: true, ai_extract_rules: true, json_css: true },
    'x-search': ['JSON', 'scraping', 'prices', 'table'],
  },
  extract_metadata: {
    type: 'boolean',
    'x-extension': true,
    'x-tools': ['extract'],
    description:
      'Metadata of the page, as output_type=json. Title, description, language, canonical URL, Open Graph, Twitter, JSON-LD, icons, feeds.',
    default: false,
    'x-synonyms': { metadata: true, meta: true },
  },
  extract_links: {
    type: 'boolean',
    'x-extension': true,
    'x-tools': ['extract'],
    description: 'Links of the page, as output_type=json. Absolute URL, text and rel.',
    default: false,
    'x-synonyms': { links: true },
  },
  extract_script: {
    type: 'string',
    'x-code': true,
    'x-extension': true,
    minLength: 1,
    description:
      "JavaScript expression whose JSON value is in the output, as output_type=json. It runs in the page's world; a promise is awaited.",
    examples: ['document.images.length', '[...document.querySelectorAll("h2")].map((heading) => heading.id)'],
    'x-synonyms': { evaluate: true, function: true, script: true },
    'x-search': ['JSON'],
  },
} as const satisfies Fragments;

export type ExtractParams = InferParams<typeof EXTRACT_PARAMS>;
