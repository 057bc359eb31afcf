import type { Fragments, InferParams } from '@platen/schema';

const QUALITY = 'no key sets the quality: each output type has its own';

/** The kernel's own request keys, which every render needs. */
export const CORE_PARAMS = {
  url: {
    type: 'string',
    description: 'What to render: an http, https or data URL.',
    minLength: 1,
    nullable: false,
    examples: ['https://example.com/', 'data:text/html,<h1>Hello</h1>'],
    'x-synonyms': { html: 'HTML of your own goes into the URL, as data:text/html,<h1>Hello</h1>' },
  },
  output_type: {
    type: 'string',
    description: 'What the page is rendered into.',
    default: 'png',
    nullable: false,
    'x-synonyms': {
      format: true,
      type: true,
      output: true,
      output_format: true,
      image_type: true,
      quality: QUALITY,
      image_quality: QUALITY,
    },
  },
  fail: {
    type: 'boolean',
    description: 'Answer with an error when the target answers with a status outside 200 to 299.',
    default: true,
  },
  timeout: {
    type: 'number',
    description: 'Seconds that the whole render may take; 0 means no timeout. The duration of a film is added to it.',
    minimum: 0,
    default: 30,
  },
  no_timeout: {
    type: 'boolean',
    description: 'Apply no timeout.',
    default: false,
  },
} as const satisfies Fragments;

export type CoreParams = InferParams<typeof CORE_PARAMS>;

/** Startup flags of the kernel. */
export const KERNEL_FLAGS = {
  'browser-path': {
    type: 'string',
    description: 'Path of the Chromium, Chrome or headless shell to run. Without it Platen looks for one: `platen doctor` says where.',
    examples: ['/usr/bin/chromium'],
  },
  'browser-no-sandbox': {
    type: 'boolean',
    description: 'Run the browser without its sandbox. Unsafe for pages that you do not trust: only where the host cannot give one.',
    default: false,
  },
  'browser-ca-file': {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    'x-single': true,
    description:
      "PEM file with one or more private certificate authorities that vouch for servers, beside the public ones: for pages and for the server's own requests. May be repeated. Read once, at the start. Needs certutil (package libnss3-tools).",
    examples: ['/etc/platen/company-ca.pem'],
  },
  'browser-concurrency': {
    type: 'integer',
    description: 'Pages that the browser renders at once; further renders wait their turn. The default is twice the number of processors.',
    minimum: 1,
    maximum: 256,
  },
} as const satisfies Fragments;

export type KernelFlags = InferParams<typeof KERNEL_FLAGS>;
