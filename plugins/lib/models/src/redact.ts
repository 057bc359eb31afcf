const SHORTEST = 4;

/** The text without a secret: as it is, percent-encoded, in JSON, in base64. Secrets below four characters are not searched for. */
export function redactSecret(text: string, secret: string | undefined): string {
  if (secret === undefined || secret.length < SHORTEST) return text;
  const base64 = Buffer.from(secret).toString('base64');
  const unpadded = base64.replace(/=+$/, '');
  const base64Url = Buffer.from(secret).toString('base64url');
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64, unpadded, base64Url];
  return forms.reduce((left, form) => left.replaceAll(form, '***'), text);
}
