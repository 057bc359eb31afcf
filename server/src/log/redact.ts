/**
 * Log lines show where a render went, not the data of its URL: they contain scheme, host, path and the names of the query parameters. All
 * query values are removed, since a list of secret-sounding names is never complete; so are user, password and fragment. Of a `data:` URL,
 * the media type and the length remain.
 */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return '[not a URL]';
  const url = new URL(text);
  if (url.protocol === 'data:') return `data:${/^data:([\w.+-]+\/[\w.+-]+)/i.exec(text)?.[1] ?? ''},[${String(text.length)} characters]`;
  // A name without a value may itself be the secret.
  const names = [...new Set([...url.searchParams].map(([name, value]) => (value === '' ? '*' : `${encodeURIComponent(name)}=*`)))];
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  return `${url.protocol}//${url.host}${url.pathname}${query}`;
}

/** Redacts every URL in a text, such as an error's message. */
export function redactText(text: string): string {
  return text.replace(/\b(?:[a-z][a-z0-9+.-]{0,15}:\/\/|data:)[^\s"'<>]+/gi, redactUrl);
}
