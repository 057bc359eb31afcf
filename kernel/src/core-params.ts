import type { Fragments, InferParams } from '@platen/schema';

/** The kernel's own request keys, which every render needs. */
export const CORE_PARAMS = {
  url: {
    type: 'string',
    description: 'URL of the page to render: http, https or data.',
    minLength: 1,
    nullable: false,
    examples: ['https://example.com/', 'data:text/html,<h1>Hello</h1>'],
  },
  output_type: {
    type: 'string',
    description: 'Type of the output.',
    default: 'png',
    nullable: false,
    'x-synonyms': {
      format: true,
      type: true,
      output: true,
      output_format: true,
      image_type: true,
    },
  },
  fail: {
    type: 'boolean',
    description: 'Return an error if the target responds with a status outside 200 to 299.',
    default: true,
  },
  timeout: {
    type: 'number',
    description: 'Maximum duration of the whole render in seconds; 0 means no timeout. The duration of a video is added.',
    minimum: 0,
    default: 30,
  },
  no_timeout: {
    type: 'boolean',
    description: 'Disable the timeout.',
    default: false,
  },
} as const satisfies Fragments;

export type CoreParams = InferParams<typeof CORE_PARAMS>;

/** Startup flags of the kernel. */
export const KERNEL_FLAGS = {
  'browser-path': {
    type: 'string',
    description:
      'Path of the Chromium, Chrome or headless shell executable. By default Platen searches for one; `platen doctor` shows which it uses.',
    examples: ['/usr/bin/chromium'],
  },
  'browser-no-sandbox': {
    type: 'boolean',
    description: 'Run the browser without its sandbox. Unsafe for untrusted pages: use it only if the host cannot provide a sandbox.',
    default: false,
  },
  'browser-ca-file': {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    'x-single': true,
    description:
      "PEM file with one or more private certificate authorities to trust in addition to the public ones, for pages and for the server's own requests. Can be repeated. Read once at startup. Requires certutil (package libnss3-tools).",
    examples: ['/etc/platen/company-ca.pem'],
  },
  'browser-concurrency': {
    type: 'integer',
    description:
      'Maximum number of pages that the browser renders concurrently; further renders are queued. Default: twice the number of processors.',
    minimum: 1,
    maximum: 256,
  },
} as const satisfies Fragments;

export type KernelFlags = InferParams<typeof KERNEL_FLAGS>;
