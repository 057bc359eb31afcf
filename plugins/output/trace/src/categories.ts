/** The categories that the Performance panel of DevTools records; all others are excluded. */
const CATEGORIES = [
  'toplevel',
  'navigation',
  'rail',
  'loading',
  'latencyInfo',
  'blink.console',
  'blink.user_timing',
  'cppgc',
  'v8.execute',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'disabled-by-default-devtools.timeline.invalidationTracking',
  'disabled-by-default-devtools.timeline.stack',
  'disabled-by-default-lighthouse',
  'disabled-by-default-v8.cpu_profiler',
];

export function listCategories({ screenshots }: { readonly screenshots: boolean }): string[] {
  return screenshots ? [...CATEGORIES, 'disabled-by-default-devtools.screenshot'] : CATEGORIES;
}
