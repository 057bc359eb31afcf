import { createHash } from 'node:crypto';

/** The pages run their own modules and nothing else, and talk to this server only; what was rendered is shown from memory. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob: data:",
  "frame-src 'self' blob: data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

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
