/** No valid link is longer: a URL beyond Chromium's limit does not work. */
const LONGEST = 2 ** 22;

/**
 * Passes a PDF on, and removes the user and password of the target's URL from the links (ISO 32000-1, 12.6.4.7) that were resolved
 * against it. Spaces after each link keep every object at its offset in the cross-reference table.
 */
export async function* stripLinkCredentials(chunks: AsyncIterable<Buffer>, target: string): AsyncGenerator<Buffer, void> {
  const { username, password } = new URL(target);
  const userinfo = `//${username}${password === '' ? '' : `:${password}`}@`.replace(/[()\\]/g, '\\$&');
  const bare = (text: string) =>
    text.replace(/\/URI \(((?:[^()\\]|\\.)*)\)/gs, (whole, uri: string) =>
      uri.includes(userinfo) ? `/URI (${uri.replace(userinfo, '//')})`.padEnd(whole.length) : whole,
    );
  let held = '';
  for await (const chunk of chunks) {
    const text = bare(held + chunk.toString('latin1'));
    const open = text.lastIndexOf('/URI (');
    // A link that is incomplete so far.
    const isOpen = open >= 0 && text.length - open < LONGEST && !/^\/URI \((?:[^()\\]|\\.)*\)/s.test(text.slice(open));
    const end = isOpen ? open : Math.max(0, text.length - '/URI ('.length);
    held = text.slice(end);
    yield Buffer.from(text.slice(0, end), 'latin1');
  }
  yield Buffer.from(held, 'latin1');
}
