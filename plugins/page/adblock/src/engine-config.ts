/** How engines are built and read: a kept engine of another configuration is another engine. */
export const ENGINE_CONFIG = {
  // Procedural selectors (`:has-text()`) need a script of the library's in every page: they count as rules, and hide nothing.
  loadExtendedSelectors: false,
  // Rules that are merged into one can no longer be named, and are hardly faster.
  enableOptimizations: false,
  enableMutationObserver: true,
  integrityCheck: true,
} as const;
