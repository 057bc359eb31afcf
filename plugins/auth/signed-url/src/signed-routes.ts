/** Where a signature is asked for (the interface specification, Authentication, rule 5); HEAD is GET without the body. */
const SIGNED: Readonly<Record<string, readonly string[]>> = { '/': ['GET', 'HEAD', 'DELETE'], '/assets': ['GET', 'HEAD'] };

/** Whether a signature is asked for at the path at all. */
export function isSigned(path: string): boolean {
  return Object.hasOwn(SIGNED, path);
}

/** Whether a request without a credential header must be signed. */
export function needsSignature({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return Object.hasOwn(SIGNED, path) && SIGNED[path]?.includes(method) === true;
}
