import { quoted, SOFT } from './quoted.js';

/**
 * Takes the user and the password of the target's URL out of all that a snapshot has resolved against it: its own address, those of its
 * parts and what its links lead to. What a page itself writes into a link is its own.
 */
export function dropUserinfo(mhtml: string, target: string): string {
  const { username, password } = new URL(target);
  if (username === '' && password === '') return mhtml;
  const userinfo = `//${username}${password === '' ? '' : `:${password}`}@`;
  return mhtml.replace(quoted(userinfo), (found) => (found.includes(SOFT) ? `//${SOFT}` : '//'));
}
