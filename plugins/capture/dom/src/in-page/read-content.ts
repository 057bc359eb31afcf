import { Paint } from '@platen/lib-accessibility-tree/visibility';
import { FlatTree } from '@platen/lib-page-functions';
import type { Piece } from '../pieces.js';
import { ContentAttributes, ContentLanguage } from './content-attributes.js';
import { ContentMaths } from './content-maths.js';
import { ContentMedia } from './content-media.js';
import { ContentTags } from './content-tags.js';
import { ContentWriter } from './content-writer.js';
import { NodeAnimation } from './node-animation.js';
import { NodeClipping } from './node-clipping.js';
import { NodeReader } from './node-reader.js';
import { NodeTransform } from './node-transform.js';
import { ScrollableOverflow } from './scrollable-overflow.js';
import { TextVisibility } from './text-visibility.js';
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

/** The readable content of a frame's document. A text that is too large for one response is stored in the isolated world. */
export function readContent({ selector, mark, mobile, most }: ReadRequest): ReadContent {
  const reader = createReader({ mobile });
  const writer = createWriter(reader, mark);
  // The getters of prototypes return the real value, because a page may have named a form `title`.
  const read = (name: 'URL' | 'title' | 'body' | 'documentElement'): unknown => Reflect.get(Document.prototype, name, document);
  // Chromium shows an XML document without style below a notice.
  const tree = document.querySelector('#webkit-xml-viewer-source-xml ~ .pretty-print');
  const root = tree ?? read('body') ?? read('documentElement');
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
}

function createReader({ mobile }: Pick<ReadRequest, 'mobile'>): NodeReader {
  const tree = new FlatTree();
  const top = new TopLayer(tree);
  const edges = new ScrollableOverflow(mobile ? document : null);
  const paint = new Paint();
  const animation = new NodeAnimation(tree, paint);
  const transform = new NodeTransform({ tree, top, animation });
  const clipping = new NodeClipping({ tree, top, edges, transform, animation });
  const textVisibility = new TextVisibility({ tree, paint, clipping, edges, top, transform, animation });
  return new NodeReader(tree, textVisibility, clipping);
}

function createWriter(reader: NodeReader, mark: string): ContentWriter {
  const attributes = new ContentAttributes(reader, new ContentLanguage(reader));
  const tags = new ContentTags(reader, attributes);
  return new ContentWriter({ reader, media: new ContentMedia(reader), maths: new ContentMaths(reader), attributes, tags, mark });
}
