import type { Page } from '@platen/kernel';

/**
 * Whether video or audio of the page plays now, including shadow trees and same-site frames. Players in other frames report it
 * themselves, later.
 */
export function playsMedia(page: Page): Promise<boolean> {
  return page.evaluate(anyPlaying);
}

/**
 * Whether the document is itself an image. The page of such a document never finishes a step of a controlled clock. An SVG document does.
 */
export function isImage(page: Page): Promise<boolean> {
  return page.evaluate(isImageDocument);
}

function isImageDocument(): boolean {
  return document.contentType.startsWith('image/') && document.contentType !== 'image/svg+xml';
}

/** Runs in the page; must not capture outer variables. */
function anyPlaying(): boolean {
  const search = (root: ParentNode): boolean => {
    const media = Array.from(root.querySelectorAll<HTMLMediaElement>('video, audio'));
    if (media.some(({ paused, ended }) => !paused && !ended)) return true;
    const frames = Array.from(root.querySelectorAll('iframe'), ({ contentDocument }) => contentDocument);
    const shadows = Array.from(root.querySelectorAll('*'), ({ shadowRoot }) => shadowRoot);
    return [...frames, ...shadows].some((inner) => inner !== null && search(inner));
  };
  return search(document);
}
