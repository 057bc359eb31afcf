/** Smaller texts are parsed in an instant, however many values they have. */
const SMALL_BYTES = 8192;
/** Each value takes two characters or more of a query of 4096. */
const MOST_VALUES = 4096;
const DEEPEST = 500;
const NOT_JSON = Buffer.from('{');

/**
 * The first values of a large JSON text, with which a query made of it begins equally: the time that warcio needs grows with the square of
 * their number. A small text is returned as it is, and a large one that is not JSON as another that is not.
 */
export function pruneJson(bytes: Buffer): Uint8Array {
  if (bytes.length <= SMALL_BYTES) return bytes;
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Buffer.from(JSON.stringify(prune(parsed, { left: MOST_VALUES }, 0)));
  } catch {
    return NOT_JSON;
  }
}

function prune(value: unknown, budget: { left: number }, depth: number): unknown {
  if (typeof value !== 'object' || value === null) {
    // Empty strings are not part of a query.
    if (value !== '') budget.left -= 1;
    return value;
  }
  if (depth > DEEPEST) return [];
  const first: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    if (budget.left <= 0) break;
    first.push([name, prune(inner, budget, depth + 1)]);
  }
  return Array.isArray(value) ? first.map(([, inner]) => inner) : Object.fromEntries(first);
}
