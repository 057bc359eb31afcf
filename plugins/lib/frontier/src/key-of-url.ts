/**
 * The canonical key of a URL: two URLs with one key are one page. The WHATWG parser lowers the case of the host and drops a default port;
 * the fragment is dropped here, and the parameters of the query are sorted by name. Parameters of one name retain their order.
 * Only for comparing: a server may see a difference, so the URL itself is what is requested.
 *
 * @throws TypeError if it is not an absolute URL.
 */
export function keyOfUrl(url: string): string {
  const key = new URL(url);
  key.hash = '';
  key.search = sortQuery(key.search.slice(1));
  return key.href;
}

/** As text, because decoding and encoding would make different queries equal. */
function sortQuery(query: string): string {
  return query
    .split('&')
    .filter((parameter) => parameter !== '')
    .map((parameter) => ({ name: parameter.split('=', 1)[0] ?? '', parameter }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ parameter }) => parameter)
    .join('&');
}
