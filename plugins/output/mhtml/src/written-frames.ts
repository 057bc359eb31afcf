import { quoted, SOFT } from './quoted.js';

/** Runs in the frame: marks its element if a script wrote the document. The address cannot be set here, because a new address would replace it. */
export function markWrittenFrame(id: string): void {
  const { frameElement } = window;
  const src = frameElement?.getAttribute('src') ?? 'javascript:';
  if (frameElement === null || !/^\s*javascript:/i.test(src) || frameElement.hasAttribute('srcdoc')) return;
  globalThis.platenChanges.setAttribute(frameElement, 'data-platen-frame', id);
}

/** Gives marked frames the address of their part. Their document has the address of the page that wrote it: this must not name two parts. */
export function linkWrittenFrames(mhtml: string): string {
  const mark = new RegExp(`${quoted('data-platen-frame="').source}((?:\\w|=\\r\\n)+)"`, 'g');
  const ids = Array.from(mhtml.matchAll(mark), ([, id = '']) => id.replaceAll(SOFT, ''));
  const linked = mhtml.replace(mark, (_mark, id: string) => `${SOFT}src=3D"cid:frame-${id.replaceAll(SOFT, '')}@mhtml.blink"${SOFT}`);
  return ids.reduce((text, id) => {
    const header = new RegExp(`(\\r\\nContent-ID: <frame-${id}@(?:.+\\r\\n)+?)Content-Location: .*\\r\\n`);
    return text.replace(header, '$1');
  }, linked);
}
