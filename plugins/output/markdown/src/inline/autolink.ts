/** The characters of a URL between angle brackets (CommonMark 6.5). */
const URI = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*$/;
const MAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** The URLs that GFM (6.9) links without brackets in every parser, with the same end: the last character is plain. */
const BARE = /^https?:\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?(?:\/[A-Za-z0-9/._~%=&?#+,;:@-]*[A-Za-z0-9/=#+-])?$/;

/** The text that, between angle brackets, links to exactly this URL; undefined if there is none. */
export function asAutolink(text: string, href: string): string | undefined {
  if (/[\u0000-\u0020\u007F]/.test(text)) return undefined;
  if (href === `mailto:${text}` && MAIL.test(text)) return text;
  return (text === href || `${text}/` === href) && URI.test(text) ? text : undefined;
}

/** `<https://example.com/>`, or in GFM without brackets if its neighbors allow that. */
export function writeAutolink({ gfm }: { readonly gfm: boolean }): (target: string, before?: string, after?: string) => string {
  return (target, before, after) => {
    const alone = (before === undefined || /[\s(]/.test(before)) && (after === undefined || /[\s)]/.test(after));
    return gfm && alone && BARE.test(target) ? target : `<${target}>`;
  };
}
