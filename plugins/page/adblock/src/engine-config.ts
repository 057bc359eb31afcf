import { createHash } from 'node:crypto';
import {
  abortOnRead,
  abortOnWrite,
  abortScript,
  preventFetch,
  preventInterval,
  preventListener,
  preventOpen,
  preventTimeout,
  removeAttribute,
  removeClass,
  setConstant,
} from './in-page/index.js';

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

/** Scriptlets for rules like `example.com##+js(set-constant, ads, false)`, by the names used in filter lists. */
const SCRIPTLETS = [
  { run: setConstant, names: ['set-constant.js', 'set.js'] },
  { run: removeAttribute, names: ['remove-attr.js', 'ra.js'] },
  { run: removeClass, names: ['remove-class.js', 'rc.js'] },
  { run: abortOnRead, names: ['abort-on-property-read.js', 'aopr.js'] },
  { run: abortOnWrite, names: ['abort-on-property-write.js', 'aopw.js'] },
  { run: abortScript, names: ['abort-current-script.js', 'acs.js', 'abort-current-inline-script.js', 'acis.js'] },
  { run: preventTimeout, names: ['prevent-setTimeout.js', 'no-setTimeout-if.js', 'nostif.js'] },
  { run: preventInterval, names: ['prevent-setInterval.js', 'no-setInterval-if.js', 'nosiif.js'] },
  { run: preventListener, names: ['prevent-addEventListener.js', 'addEventListener-defuser.js', 'aeld.js'] },
  { run: preventOpen, names: ['prevent-window-open.js', 'no-window-open-if.js', 'nowoif.js', 'window.open-defuser.js'] },
  { run: preventFetch, names: ['prevent-fetch.js', 'no-fetch-if.js'] },
];

/** The resources in the format of the engine. */
export const RESOURCES = JSON.stringify({
  scriptlets: SCRIPTLETS.map(({ run, names: [name, ...aliases] }) => ({ name, aliases, body: run.toString(), dependencies: [] })),
  redirects: [],
});

export const RESOURCES_DIGEST = createHash('sha256').update(RESOURCES).digest('hex');
