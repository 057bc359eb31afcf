/** How one part of a selector finds elements. */
export type SelectorPart =
  | { readonly by: 'css' | 'text' | 'label'; readonly text: string }
  /** Without a name: any. */
  | { readonly by: 'role'; readonly role: string; readonly name?: string };

/** Each part is in the shadow tree or the frame of the one before it. */
export type Selector = readonly SelectorPart[];

const DEEP = /\s*>>>\s*/;

/** @throws Error with a clause about the part that is not valid; CSS is checked by the browser */
export function parseSelector(text: string): Selector {
  // A text may have the characters of the combinator.
  const parts = (/^\s*(?:text|label)=/.test(text) ? [text] : text.split(DEEP)).map((part) => parsePart(part.trim()));
  if (parts.slice(0, -1).some(({ by }) => by === 'role')) throw new Error('has a role that is not the last part of its selector');
  return parts;
}

function parsePart(text: string): SelectorPart {
  if (text === '') throw new Error('has an empty selector');
  const [, by, rest = ''] = /^(text|label|role)=(.*)$/s.exec(text) ?? [];
  if (by === undefined) return { by: 'css', text };
  if (by === 'text' || by === 'label') {
    const plain = rest.replace(/\s+/g, ' ').trim();
    if (plain === '') throw new Error(`needs a text after "${by}="`);
    return { by, text: plain };
  }
  const [, role, name] = /^([a-z]+)(?:\[\s*name\s*=\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\])?$/is.exec(rest.trim()) ?? [];
  if (role === undefined) throw new Error('must have a role as in role=button[name="Sign in"]');
  return { by: 'role', role: role.toLowerCase(), ...(name === undefined ? {} : { name: name.slice(1, -1).replace(/\\(.)/gs, '$1') }) };
}
