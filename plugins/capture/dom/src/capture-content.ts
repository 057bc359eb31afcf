import { randomUUID } from 'node:crypto';
import {
  addSourceUrl,
  invalidParameter,
  type IsolatedFrameWorld,
  openIsolatedFrameWorld,
  type Page,
  PlatenError,
  type RenderContext,
} from '@platen/kernel';
import type { ContentCapture, ContentRequest } from './capture-kinds.js';
import { captureArticle } from './capture-article.js';
import { loadImages } from './content-images.js';
import { evaluateWithoutTimeout, NO_TIMEOUT } from './frame-world.js';
import { readContent } from './in-page/index.js';
import { contentRequest } from './keys.js';
import { collectText, PIECE } from './pieces.js';

/** Nesting depth of frames; readable pages do not nest deeper. */
const MAX_DEPTH = 8;

/** The readable content of the page, or of all elements that a selector matches. */
export async function captureContent(context: RenderContext): Promise<ContentCapture> {
  const { page } = context;
  const { selector, images: wanted } = context.get(contentRequest) ?? {};
  const article = await captureArticle(context);
  if (article !== undefined) {
    const { url, title, lang, html } = article;
    return {
      url,
      title,
      lang,
      html,
      matches: 1,
      images: wanted === undefined ? new Map() : await loadImages(page, imagesOf(html), wanted),
    };
  }
  context.setWaitReason('the content');
  const mark = `platen-${randomUUID()}`;
  const request = { selector: selector?.css ?? null, mark, mobile: page.profile.mobile, most: PIECE };
  const { url, title, lang, ...read } = await evaluateWithoutTimeout(page, readContent, request);
  if (selector !== undefined && read.matches < 1) throw refuse(selector, read.matches);
  const own = { html: await collectText(page, read.piece), images: read.images };
  const { html, images } =
    read.frames === 0 ? own : await inlineFrames(page, { ...own, frames: read.frames, mark, frameId: page.mainFrameId });
  if (selector !== undefined && !hasReadable(html)) {
    throw new PlatenError('selector_empty', `"${selector.parameter}" matched no readable content: ${selector.css}`);
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

/** As the browser serializes them. */
function imagesOf(html: string): readonly string[] {
  const urls = Array.from(html.matchAll(/<img\b[^<>]*?\ssrc="([^"]+)"/g), ([, url = '']) => url.replaceAll('&amp;', '&'));
  return [...new Set(urls)];
}

/** A text, or an element that has a meaning without one. */
function hasReadable(html: string): boolean {
  return /<(img|input|math|hr)\b/.test(html) || /\S/.test(html.replaceAll(/<[^>]*>|&nbsp;|\u00a0/g, ''));
}

function refuse({ css, parameter }: NonNullable<ContentRequest['selector']>, matches: number): PlatenError {
  if (matches < 0) return invalidParameter(parameter, `"${parameter}" is not a valid CSS selector: ${css}`);
  return new PlatenError('selector_not_found', `"${parameter}" matched nothing: ${css}`);
}

/** A document as read, with a comment for each frame that must be read separately. */
interface UnreadFrames {
  readonly html: string;
  readonly images: readonly string[];
  readonly frames: number;
  readonly mark: string;
  readonly frameId: string;
}

interface Inlined {
  readonly html: string;
  readonly images: readonly string[];
}

/**
 * Inlines the content of frames: cross-site iframes, which run in separate processes, and frames of the same process that only their own
 * document may access. A frame that is gone meanwhile adds nothing.
 */
async function inlineFrames(page: Page, unread: UnreadFrames): Promise<Inlined> {
  const world = await openIsolatedFrameWorld(page, unread.frameId, NO_TIMEOUT);
  return inlineBelow(page, { unread, world, depth: 1 });
}

interface Level {
  readonly unread: UnreadFrames;
  readonly world: IsolatedFrameWorld;
  readonly depth: number;
}

async function inlineBelow(page: Page, { unread, world, depth }: Level): Promise<Inlined> {
  const { html, images, frames, mark } = unread;
  const read = await Promise.all(
    Array.from({ length: frames }, (_, index) => readFrame(page, { index, world, depth, mark }).catch(() => ({ html: '', images: [] }))),
  );
  const parts = html.split(new RegExp(`<!--${mark}:(\\d+)-->`));
  // Every second part is the number that the pattern captured.
  const joined = parts.map((part, at) => (at % 2 === 0 ? part : asBlock(read[Number(part)]?.html ?? '')));
  return { html: joined.join(''), images: [...new Set([...images, ...read.flatMap((frame) => frame.images)])] };
}

function asBlock(html: string): string {
  return html.trim() === '' ? '' : `<div>${html}</div>`;
}

interface FramePlace {
  /** Index of the frame among the frames that its parent's world could not access. */
  readonly index: number;
  readonly world: IsolatedFrameWorld;
  readonly depth: number;
  readonly mark: string;
}

async function readFrame(page: Page, { index, world, depth, mark }: FramePlace): Promise<Inlined> {
  if (depth > MAX_DEPTH) return { html: '', images: [] };
  const frameId = await frameIdOf(world, index);
  // A frame with its own process is a target, under the frame's id.
  const own = page.frameTargets().find(({ targetId }) => targetId === frameId);
  const inner = await openIsolatedFrameWorld(own ?? world.session, frameId, NO_TIMEOUT);
  const read = await inner.evaluate(readContent, { selector: null, mark, mobile: false, most: PIECE });
  const html = await collectText(inner, read.piece);
  return inlineBelow(page, { unread: { html, images: read.images, frames: read.frames, mark, frameId }, world: inner, depth: depth + 1 });
}

async function frameIdOf({ session, contextId }: IsolatedFrameWorld, index: number): Promise<string> {
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: addSourceUrl('function (index) { return platenFrames[index]; }'),
    arguments: [{ value: index }],
    executionContextId: contextId,
  });
  const { objectId } = result;
  if (objectId === undefined) throw new Error('the frame was removed');
  const { node } = await session.send('DOM.describeNode', { objectId });
  if (node.frameId === undefined) throw new Error('the frame was removed');
  return node.frameId;
}
