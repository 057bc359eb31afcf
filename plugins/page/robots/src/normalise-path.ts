/** Unreserved characters (RFC 3986, 2.3), which mean the same encoded and bare. Also `'`, which browsers encode in queries only. */
const UNRESERVED = /[A-Za-z0-9\-._~']/;
/** Reserved elsewhere but plain data in a query (RFC 3986, 3.4): `?to=https://a` and `?to=https%3A%2F%2Fa` are equivalent. */
const PLAIN_IN_QUERY = /[:/?@]/;

/**
 * Path and query in the canonical form in which rules and URLs are compared (RFC 9309, 2.2.2). Octets outside ASCII are percent-encoded,
 * encoded unreserved octets are decoded, and hexadecimal digits are upper case. `*` and `$` are encoded, except those listed in `keep`.
 */
export function normalisePath(text: string, keep: (character: string, index: number) => boolean = () => false): string {
  let out = '';
  let inQuery = false;
  for (let index = 0; index < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(index) ?? 0);
    const octet = character === '%' ? octetAt(text, index) : undefined;
    if (octet !== undefined) out += spellOctet(octet, { inQuery });
    else if (keep(character, index)) out += character;
    else out += spellCharacter(character);
    inQuery ||= character === '?';
    index += octet === undefined ? character.length : 3;
  }
  return out;
}

function octetAt(text: string, index: number): number | undefined {
  const digits = text.slice(index + 1, index + 3);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function spellOctet(octet: number, { inQuery }: { readonly inQuery: boolean }): string {
  const character = String.fromCharCode(octet);
  return UNRESERVED.test(character) || (inQuery && PLAIN_IN_QUERY.test(character)) ? character : encodeOctet(octet);
}

function spellCharacter(character: string): string {
  const isBare = /[\x21-\x7e]/.test(character) && !/["<>^`{|}*$]/.test(character);
  return isBare ? character : [...Buffer.from(character)].map(encodeOctet).join('');
}

function encodeOctet(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
}
