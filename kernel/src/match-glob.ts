/** Whether a glob matches the whole text: `*` matches any characters, all others match themselves. In linear time, unlike an expression. */
export function matchesGlob(glob: string, text: string): boolean {
  const [head = '', ...rest] = glob.split('*');
  const tail = rest.pop();
  if (tail === undefined) return text === glob;
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - tail.length;
}
