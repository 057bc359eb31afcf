/** Public lists that `--adblock-rules` takes by name, with their addresses. A file of such a name is given as `./easylist`. */
const PUBLIC_LISTS: ReadonlyMap<string, readonly [url: string, about: string]> = new Map([
  ['easylist', ['https://easylist.to/easylist/easylist.txt', 'EasyList: advertisements']],
  ['easyprivacy', ['https://easylist.to/easylist/easyprivacy.txt', 'EasyPrivacy: trackers']],
  ['annoyances', ['https://secure.fanboy.co.nz/fanboy-annoyance.txt', "Fanboy's Annoyance List: notices, popups, social widgets"]],
]);

/** The names, each with a short description. */
export const LIST_NAMES: Readonly<Record<string, string>> = Object.fromEntries([...PUBLIC_LISTS].map(([name, [, about]]) => [name, about]));

/** The address of a named list; any other source as it is. */
export function addressOf(source: string): string {
  return PUBLIC_LISTS.get(source)?.[0] ?? source;
}
