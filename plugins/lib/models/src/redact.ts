const SHORTEST = 4;

/** The text without a secret: as it is, percent-encoded, in JSON, in base64. Secrets below four characters are not searched for. */
export function redactSecret(text: string, secret: string | undefined): string {
  if (secret === undefined || secret.length < SHORTEST) return text;
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64, toBase64Url(base64)];
  return forms.reduce((left, form) => left.replaceAll(form, '***'), text);
}

function toBase64Url(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}
