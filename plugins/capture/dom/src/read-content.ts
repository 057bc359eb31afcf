import {
  ClipShape,
  combine,
  isBackfacing,
  flowOf,
  isFixedContainingBlock,
  Paint,
  parseRotate,
  parseTransform,
} from '@platen/lib-accessibility-tree/visibility';
import { definePageFunction, FlatTree } from '@platen/lib-page-functions';
import { ContentAttributes, ContentLanguage } from './content-attributes.js';
import { ContentMaths } from './content-maths.js';
import { ContentMedia } from './content-media.js';
import { ContentTags } from './content-tags.js';
import { ContentWriter } from './content-writer.js';
import { ScrollableOverflow } from './scrollable-overflow.js';
import { NodeAnimation } from './node-animation.js';
import { NodeClipping } from './node-clipping.js';
import { NodeReader } from './node-reader.js';
import { TextVisibility } from './text-visibility.js';
import { NodeTransform } from './node-transform.js';
import type { Piece } from './pieces.js';
import { TopLayer } from './top-layer.js';

export interface ReadRequest {
  /** Null: the body's children. */
  readonly selector: string | null;
  readonly mark: string;
  /** The document fills the window of a phone. */
  readonly mobile: boolean;
  /** UTF-16 code units of the first piece. */
  readonly most: number;
}

export interface ReadContent {
  readonly url: string;
  readonly title: string;
  readonly lang: string;
  readonly piece: Piece;
  /** -1: not a valid selector. */
  readonly matches: number;
  /** Absolute, in the order of the document. */
  readonly images: readonly string[];
  /** Number of frames that are still to be read; their elements are stored in the page as `platenFrames`. */
  readonly frames: number;
}

/** Runs in a frame's isolated world. */
export const readContent = definePageFunction(
  {
    ContentAttributes,
    ContentLanguage,
    ContentMaths,
    ContentMedia,
    ContentTags,
    ContentWriter,
    ScrollableOverflow,
    FlatTree,
    NodeAnimation,
    NodeClipping,
    NodeReader,
    TextVisibility,
    NodeTransform,
    TopLayer,
    ClipShape,
    Paint,
    parseTransform,
    parseRotate,
    combine,
    isBackfacing,
    flowOf,
    isFixedContainingBlock,
  },
  (classes, { selector, mark, mobile, most }: ReadRequest): ReadContent => {
    const { parseTransform, parseRotate, combine, isBackfacing, flowOf, isFixedContainingBlock } = classes;
    const tree = new classes.FlatTree();
    const [top, edges] = [new classes.TopLayer(tree), new classes.ScrollableOverflow(flowOf, mobile ? document : null)];
    const [shape, paint] = [new classes.ClipShape(), new classes.Paint()];
    const motion = new classes.NodeAnimation(tree, paint);
    const turn = new classes.NodeTransform({ tree, top, motion, parseTransform, parseRotate, combine, isBackfacing });
    const reach = new classes.NodeClipping({ tree, top, edges, turn, motion, flowOf, isFixedContainingBlock });
    const sight = new classes.TextVisibility({ tree, shape, paint, reach, edges, top, turn, motion });
    const reader = new classes.NodeReader(tree, sight, reach);
    const media = new classes.ContentMedia(reader);
    const maths = new classes.ContentMaths(reader);
    const attributes = new classes.ContentAttributes(reader, new classes.ContentLanguage(reader));
    const tags = new classes.ContentTags(reader, attributes);
    const writer = new classes.ContentWriter({ reader, media, maths, attributes, tags, mark });
    // The getters of prototypes return the real value, because a page may have named a form `title`.
    const read = (name: 'URL' | 'title' | 'body' | 'documentElement'): unknown => Reflect.get(Document.prototype, name, document);
    const root = read('body') ?? read('documentElement');
    if (!(root instanceof Element)) throw new Error('the frame has no document');

    const select = (css: string): readonly Element[] | null => {
      try {
        return reader.findAll(css);
      } catch {
        return null;
      }
    };
    const found = selector === null ? [root] : select(selector);
    const all = new Set(found);
    const inAnother = (element: Element) => {
      for (let at = element.parentElement; at !== null; at = at.parentElement) if (all.has(at)) return true;
      return false;
    };
    const chosen = (found ?? []).filter((element) => !inAnother(element));
    const write = (element: Element) => (element === root ? writer.writeChildren(element) : writer.writeElement(element));
    const html = chosen.map(write).join('\n');
    if (html.length > most) Reflect.set(globalThis, 'platenText', html);
    Reflect.set(globalThis, 'platenFrames', writer.frames);
    return {
      url: String(read('URL')),
      title: String(read('title')),
      lang: document.documentElement.getAttribute('lang') ?? '',
      piece: { text: html.slice(0, most), length: html.length },
      matches: found?.length ?? -1,
      images: writer.images,
      frames: writer.frames.length,
    };
  },
);
