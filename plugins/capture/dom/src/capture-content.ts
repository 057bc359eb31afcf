import { randomUUID } from 'node:crypto';
import { invalidParameter, PlatenError, type RenderContext } from '@platen/kernel';
import type { ContentCapture, ContentRequest } from './capture-kinds.js';
import { loadImages } from './content-images.js';
import { inlineFrames } from './content-frames.js';
import { evaluateWithoutTimeout } from './frame-world.js';
import { contentRequest } from './keys.js';
import { collectText, PIECE } from './pieces.js';
import { readContent } from './read-content.js';

/** The readable content of the page, or of all elements that a selector matches. */
export async function captureContent(context: RenderContext): Promise<ContentCapture> {
  const { page } = context;
  const { selector, images: wanted } = context.get(contentRequest) ?? {};
  context.setWaitReason('the content');
  const mark = `platen-${randomUUID()}`;
  const request = { selector: selector?.css ?? null, mark, mobile: page.profile.mobile, most: PIECE };
  const { url, title, lang, ...read } = await evaluateWithoutTimeout(page, readContent, request);
  if (selector !== undefined && read.matches < 1) throw refuse(selector, read.matches);
  const own = { html: await collectText(page, read.piece), images: read.images };
  const { html, images } =
    read.frames === 0 ? own : await inlineFrames(page, { ...own, frames: read.frames, mark, frameId: page.mainFrameId });
  if (selector !== undefined && !hasReadable(html)) {
    throw new PlatenError('selector_empty', `"${selector.parameter}" matched nothing that can be read: ${selector.css}`);
  }
  context.setWaitReason('the images of the content');
  return {
    url,
    title,
    lang,
    html,
    matches: read.matches,
    images: wanted === undefined ? new Map() : await loadImages(page, images, wanted),
  };
}

/** A text, or an element that has a meaning without one. */
function hasReadable(html: string): boolean {
  return /<(img|input|math|hr)\b/.test(html) || /\S/.test(html.replaceAll(/<[^>]*>|&nbsp;|\u00a0/g, ''));
}

function refuse({ css, parameter }: NonNullable<ContentRequest['selector']>, matches: number): PlatenError {
  if (matches < 0) return invalidParameter(parameter, `"${parameter}" is not a valid CSS selector: ${css}`);
  return new PlatenError('selector_not_found', `"${parameter}" matched nothing: ${css}`);
}
