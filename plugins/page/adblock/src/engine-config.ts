/** How engines are built and read. A cached engine with another configuration is not reused. */
export const ENGINE_CONFIG = {
  // Procedural selectors (`:has-text()`) would need a library script in every page. They are counted as rules, but hide nothing.
  loadExtendedSelectors: false,
  // Merged rules cannot be named in errors, and are hardly faster.
  enableOptimizations: false,
  enableMutationObserver: true,
  integrityCheck: true,
} as const;

/** Version of the list parser. Increase it to rebuild cached engines. */
export const READING = 3;
