import { readUrl } from './read-url.js';

/** The URL as it may be repeated to others: without user and password. What is no URL stays as it is. */
export function withoutUserinfo(text: string): string {
  const url = readUrl(text);
  if (url === undefined) return text.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1');
  url.username = '';
  url.password = '';
  return url.href;
}
