import type { Fragments, InferParams } from '@platen/kernel';
import { describeDevices } from './devices.js';

/** The maximum viewport side that Chromium still paints in one texture. */
const MAX_SIDE = 16_384;

export const PARAMS = {
  accept_language: {
    type: 'string',
    description:
      'Preferred languages: an Accept-Language header, sent unchanged. A list without weights gets the weights that browsers add.',
    minLength: 1,
    maxLength: 1024,
    examples: ['de-CH, de;q=0.9, en;q=0.5', 'fr', '*'],
    'x-synonyms': { language: true, lang: true, locale: true },
  },
  browser_width: {
    type: 'integer',
    format: 'uint32',
    description: 'Viewport width in CSS pixels.',
    minimum: 1,
    maximum: MAX_SIDE,
    default: 1280,
    examples: [1920],
    'x-synonyms': { width: true, viewport_width: true, window_width: true, viewport: true },
  },
  browser_height: {
    type: 'integer',
    format: 'uint32',
    description: 'Viewport height in CSS pixels.',
    minimum: 1,
    maximum: MAX_SIDE,
    default: 720,
    examples: [1080],
    'x-synonyms': { height: true, viewport_height: true, window_height: true, viewport: true },
  },
  cookie: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 8192 },
    maxItems: 1000,
    'x-uncached': true,
    description:
      'Cookies to start with, each `name=value; Domain=<domain>`, optionally with Path (default /), Expires, Max-Age, Secure, HttpOnly and SameSite. Without Domain: only for the host of the URL.',
    examples: [['session=8f14e45f; Domain=example.com', 'theme=dark']],
    'x-search': ['login', 'session'],
  },
  header: {
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: 16_384 },
    maxItems: 100,
    'x-uncached': true,
    description:
      "HTTP headers to send, each `Name: Value`, as UTF-8. They are sent to the URL's own origin only, also after redirects, and not with WebSocket handshakes. `User-Agent` has the effect of `user_agent` and excludes it; `Accept-Language` excludes `accept_language`.",
    examples: [['Authorization: Bearer abc', 'X-Trace: 1']],
    'x-synonyms': { extra_http_headers: true, authorization: true },
    'x-search': ['login', 'bearer token'],
  },
  device: {
    type: 'string',
    description:
      'Device preset: viewport size, device scale factor, user agent, platform and mobile emulation. The individual parameters override it. Case and spaces are ignored.',
    minLength: 1,
    maxLength: 100,
    examples: ['iPhone 15', 'Pixel 9 landscape'],
    'x-values': describeDevices(),
    'x-synonyms': { viewport_device: true },
    'x-search': ['phone', 'smartphone', 'tablet', 'mobile'],
  },
  device_scale_factor: {
    type: 'number',
    description: 'Device pixels per CSS pixel. The output is ceil(browser_width x scale) by ceil(browser_height x scale).',
    exclusiveMinimum: 0,
    maximum: 5,
    default: 1,
    examples: [2, 1.5],
    'x-synonyms': { scale: true, dpr: true, pixel_ratio: true, retina: true },
    'x-search': ['high resolution', 'sharp', 'hidpi'],
  },
  user_agent: {
    type: 'string',
    description: 'User agent string for requests and scripts, with matching client hints.',
    minLength: 1,
    maxLength: 2048,
    examples: ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'],
  },
  platform: {
    type: 'string',
    description: 'Platform that scripts see.',
    minLength: 1,
    maxLength: 100,
    examples: ['Win32', 'MacIntel', 'Linux x86_64'],
  },
  javascript: {
    type: 'string',
    'x-code': true,
    description: 'JavaScript to run in the page once it has loaded. A promise as its result and top-level `await` are awaited.',
    minLength: 1,
    examples: ["document.querySelector('footer')?.remove()"],
    'x-synonyms': { js: true, script: true, scripts: true, evaluate: true, add_script_tag: true },
  },
} as const satisfies Fragments;

export type TargetParams = InferParams<typeof PARAMS>;
