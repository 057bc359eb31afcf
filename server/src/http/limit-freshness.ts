type Headers = Readonly<Record<string, string>>;

/** Limits `max-age`, less `Age`, to the given milliseconds: the response refers to resources that expire then. */
export function limitFreshness(headers: Headers, leftMs: number): Headers {
  const { 'Cache-Control': control, Age: age = '0' } = headers;
  if (control === undefined || leftMs === Infinity) return headers;
  const limit = Number(age) + Math.max(0, Math.floor(leftMs / 1000));
  return {
    ...headers,
    'Cache-Control': control.replace(/\bmax-age=(\d+)/, (_, given: string) => `max-age=${String(Math.min(Number(given), limit))}`),
  };
}
