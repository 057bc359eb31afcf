/** The URL of what Platen itself runs in pages and workers: profilers leave it out. */
export const OWN_SCRIPT_URL = 'platen:script';

/** Source text, of a function or a whole script, under that URL. */
export function addSourceUrl(source: string): string {
  return `${source}\n//# sourceURL=${OWN_SCRIPT_URL}\n`;
}
