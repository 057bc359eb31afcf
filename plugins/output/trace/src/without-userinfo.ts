/** A text with URLs, which may be JSON, without their userinfo: credentials are no part of what a page did. */
export function withoutUserinfo(text: string): string {
  // Most events have no such character.
  return text.includes('@') ? text.replace(/\b((?:https?|wss?|ftp):\/\/)[^/?#\s"'<>\\]*@/gi, '$1') : text;
}
