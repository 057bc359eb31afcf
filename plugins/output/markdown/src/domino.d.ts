// The package's own types name a module that it is not.
declare module '@mixmark-io/domino' {
  export function createDocument(html?: string): Document;
}
