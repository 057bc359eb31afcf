/** The URL as it may be repeated to others: without user and password. What is no URL stays as it is. */
export function withoutUserinfo(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
