/** The URL without userinfo: a relative link inherits the credentials of its document. */
export function withoutUserinfo(url: string): string {
  return url.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1');
}
