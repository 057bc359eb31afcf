import { readUrl } from './read-url.js';

/** The URL without user and password, safe to show to others. Text that is not a URL is returned unchanged. */
export function withoutUserinfo(text: string): string {
  const url = readUrl(text);
  if (url === undefined) return text.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1');
  url.username = '';
  url.password = '';
  return url.href;
}
