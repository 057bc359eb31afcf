/** How engines are built and read: a kept engine of another configuration is another engine. */
export const ENGINE_CONFIG = {
  // Procedural selectors (`:has-text()`) need a script of the library's in every page: they count as rules, and hide nothing.
  loadExtendedSelectors: false,
  // Rules that are merged into one can no longer be named, and are hardly faster.
  enableOptimizations: false,
  enableMutationObserver: true,
  integrityCheck: true,
} as const;

/** Of how lists are read before the engine has them: another number, and kept engines are built anew. */
export const READING = 3;
