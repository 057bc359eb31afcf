/** A URL between angle brackets (CommonMark 6.5); what it may be. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*$/;
const MAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** What GFM (6.9) links without brackets, of which every parser takes all and no more: the ends are plain. */
const BARE = /^https?:\/\/[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?(?:\/[A-Za-z0-9/._~%=&?#+,;:@-]*[A-Za-z0-9/=#+-])?$/;

/** The text that, between angle brackets, is a link to just this address; undefined where there is none. */
export function asAutolink(text: string, href: string): string | undefined {
  if (/[\u0000-\u0020\u007F]/.test(text)) return undefined;
  if (href === `mailto:${text}` && MAIL.test(text)) return text;
  return (text === href || `${text}/` === href) && URI.test(text) ? text : undefined;
}

/** `<https://example.com/>`, or as GFM has it without brackets, where it stands by itself. */
export function writeAutolink({ gfm }: { readonly gfm: boolean }): (target: string, before?: string, after?: string) => string {
  return (target, before, after) => {
    const alone = (before === undefined || /[\s(]/.test(before)) && (after === undefined || /[\s)]/.test(after));
    return gfm && alone && BARE.test(target) ? target : `<${target}>`;
  };
}
