/** Shorter values are not searched for: they would be found everywhere. */
const SHORTEST = 4;

/**
 * Replaces secrets in texts, each as it is and URL-, form-, HTML-, JSON- and base64-encoded, by `***`. Longer forms come first, so that
 * none leaves a part of another.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter(({ length }) => length >= SHORTEST).flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((left, form) => left.replaceAll(form, '***'), text);
}

function formsOf(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString('base64');
  const percent = encodeURIComponent(secret);
  const html = secret.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return [
    secret,
    // Texts are written on one line, which a credential may not be.
    secret.replace(/\s+/g, ' ').trim(),
    percent,
    percent.replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase()),
    new URLSearchParams({ '': secret }).toString().slice(1),
    encodeURI(secret),
    html,
    html.replace(/"/g, '&quot;').replace(/'/g, '&#39;'),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ].filter(({ length }) => length >= SHORTEST);
}
