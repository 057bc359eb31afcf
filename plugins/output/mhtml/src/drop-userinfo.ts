import { quoted, SOFT } from './quoted.js';

/**
 * Removes the user and password of the target's URL from everything that a snapshot resolved against it: its own URL, the URLs of its parts
 * and its links. Userinfo that a page itself writes into a link stays.
 */
export function dropUserinfo(mhtml: string, target: string): string {
  const { username, password } = new URL(target);
  if (username === '' && password === '') return mhtml;
  const userinfo = `//${username}${password === '' ? '' : `:${password}`}@`;
  return mhtml.replace(quoted(userinfo), (found) => (found.includes(SOFT) ? `//${SOFT}` : '//'));
}
