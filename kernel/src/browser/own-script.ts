/** The URL of Platen's own scripts in pages and workers, which profilers exclude. */
export const OWN_SCRIPT_URL = 'platen:script';

/** Source text of a function or a complete script, with that URL. */
export function addSourceUrl(source: string): string {
  return `${source}\n//# sourceURL=${OWN_SCRIPT_URL}\n`;
}
