/** Removes the userinfo of URLs in a text, which may be JSON: credentials are not part of a page's activity. */
export function withoutUserinfo(text: string): string {
  // Fast path: most events do not contain this character.
  return text.includes('@') ? text.replace(/\b((?:https?|wss?|ftp):\/\/)[^/?#\s"'<>\\]*@/gi, '$1') : text;
}
