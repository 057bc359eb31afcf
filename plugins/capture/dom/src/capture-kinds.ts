/** The whole live document. */
export interface DomCapture {
  readonly url: string;
  readonly title: string;
  /** Of the root element; empty if it declares none. */
  readonly lang: string;
  /** Serialized as HTML, whatever the document is. */
  readonly html: string;
}

/** Options that an output sets for the document. */
export interface DomRequest {
  /** Without active content: scripts (data blocks are preserved) and event handlers. Otherwise everything is included. */
  readonly inert?: boolean;
}

/** The readable content as self-contained, clean HTML: no hidden elements, scripts or styles; all URLs absolute. */
export interface ContentCapture {
  readonly url: string;
  readonly title: string;
  readonly lang: string;
  /** Of the body's children, or of all matches of the selector in document order. Shadow trees, slots and frames are inlined. */
  readonly html: string;
  /** How many elements the selector matched; 1 without a selector. */
  readonly matches: number;
  /** By absolute URL, as written in `src`; empty unless the request asks for images. */
  readonly images: ReadonlyMap<string, ContentImage>;
}

export interface ContentImage {
  readonly contentType: string;
  readonly body: Buffer;
}

/** Options that an output sets for the content. */
export interface ContentRequest {
  /** Only the matches; `parameter` is the request key of the selector, for errors. */
  readonly selector?: { readonly css: string; readonly parameter: string };
  /** Includes the bytes of the images. An image beyond either limit has only its URL. */
  readonly images?: { readonly maxBytesEach: number; readonly maxBytesTotal: number };
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    dom: DomCapture;
    content: ContentCapture;
  }
}
