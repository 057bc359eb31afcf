import { createHash } from 'node:crypto';

/**
 * The pages run their own modules and nothing else, and talk to this server only; rendered content is shown from memory. Two policies, both
 * of which a script must pass: `'self'` cannot name a path, and would admit what targets send, at `/`; a path needs a host, and the server does
 * not know the name that a proxy in front gives it.
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
 * The page in which rendered HTML is shown: an origin of its own, no script but the one that takes the HTML in, and no connection but
 * those of pictures, styles, fonts and media.
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
