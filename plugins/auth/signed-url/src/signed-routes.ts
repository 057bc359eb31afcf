/** Endpoints that accept signatures (the interface specification, Authentication, rule 5). */
const SIGNED: Readonly<Record<string, readonly string[]>> = { '/': ['GET', 'HEAD', 'DELETE'], '/assets': ['GET', 'HEAD'] };

/** Whether any method of the path accepts signatures. */
export function isSigned(path: string): boolean {
  return Object.hasOwn(SIGNED, path);
}

/** Whether a request without a credential header must be signed. */
export function needsSignature({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return Object.hasOwn(SIGNED, path) && SIGNED[path]?.includes(method) === true;
}
