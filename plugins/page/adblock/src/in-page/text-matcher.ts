type TextMatcher = (text: string) => boolean;

/** Whether a text contains the needle, a text or a `/regular expression/`. */
export function createMatcher(needle: string): TextMatcher {
  const pattern = /^\/(.+)\/$/.exec(needle)?.[1];
  return (text) => (pattern === undefined ? text.includes(needle) : new RegExp(pattern).test(text));
}

/** As `createMatcher`; a leading `!` inverts the match. */
export function createInvertibleMatcher(needle: string): TextMatcher {
  if (!needle.startsWith('!')) return createMatcher(needle);
  const matches = createMatcher(needle.slice(1));
  return (text) => !matches(text);
}
