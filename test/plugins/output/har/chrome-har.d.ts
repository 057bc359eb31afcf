declare module 'chrome-har' {
  import type { Har } from 'har-format';
  /** A HAR of DevTools protocol events; entries of cached answers are left out unless asked for. */
  export function harFromMessages(
    messages: readonly { readonly method: string; readonly params: unknown }[],
    options?: { readonly includeResourcesFromDiskCache?: boolean },
  ): Har;
}
