import { createHash } from 'node:crypto';

/**
 * The pages run only their own modules and connect only to this server; rendered content is shown from memory. A script must pass two
 * policies: `'self'` has no path and would allow rendered content at `/`; a path requires a host, and the server does not know its name
 * behind a proxy.
 */
const PAGE_RULES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob: data:",
  "frame-src 'self' blob:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
const OWN_FILES = ['script-src *:*/playground/', 'style-src *:*/playground/'];
export const PAGE_POLICY = [PAGE_RULES, OWN_FILES].map((rules) => rules.join('; ')).join(', ');

/**
 * The page that shows rendered HTML: an opaque origin, only the script that receives the HTML, and only connections for images,
 * styles, fonts and media.
 */
export function framePolicy(html: string): string {
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  const digest = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${digest}'`,
    "style-src * data: blob: 'unsafe-inline'",
    'img-src * data: blob:',
    'font-src * data: blob:',
    'media-src * data: blob:',
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ');
}
