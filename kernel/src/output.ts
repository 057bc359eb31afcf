import type { Readable } from 'node:stream';

/** Capture kinds by name: each capture plugin adds its own by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by plugins
export interface CaptureKinds {}

/** Options that an output may set for its capture kind, by the kind's name. Extended like `CaptureKinds`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by plugins
export interface CaptureOptions {}

export type CaptureValue<K> = K extends keyof CaptureKinds ? CaptureKinds[K] : unknown;

/** One output type, as declared by its plugin. */
export interface OutputDeclaration {
  readonly type: string;
  /** Capture kind that feeds it; of several the first, unless its plugin's `plan` chooses another. */
  readonly from: string | readonly string[];
  readonly contentType: string;
  /** Without a dot. */
  readonly extension: string;
  /** Other file extensions, without a dot, such as `tif` for `tiff`. For the command line. */
  readonly endings?: readonly string[];
  /** Parameters of its plugin: a request that sets one of them and no output type gets this one. A switch counts if it is on. */
  readonly defaultFor?: string | readonly string[];
  /** Of an extension that ends in `gz`: the switch, among the plugin's keys, that leaves the packing out. */
  readonly noGzipKey?: string;
  /** Input spellings that are normalized to `type` first. */
  readonly aliases?: readonly string[];
  /** The output's options for the capture kind. */
  readonly captureOptions?: object;
}

/** What a capture does to the page that others are to capture too, in the order in which those of one page are taken. */
export const COMBINATIONS = ['recording', 'reading', 'moving', 'printing'] as const;

/** A capture kind, as declared by its plugin. */
export interface CaptureDeclaration {
  readonly kind: string;
  /** The capture is a stream out of the browser: the session lives until the stream ends. */
  readonly streaming?: true;
  /** The page's time may be paused from its tap until its stream ends: calls that need the page's event loop would not return. */
  readonly pausesVirtualTime?: true;
  /** It records over time: the page may navigate to other documents meanwhile. All other kinds capture a single document. */
  readonly spansDocuments?: true;
  /** It captures files: a target that is served as a download is not an error. */
  readonly acceptsDownloads?: true;
  /**
   * It records how the page loads. A page that has not loaded when its time is nearly up is captured as it is, and an error status counts
   * only if the page still has it then: its script may load it again.
   */
  readonly recordsLoading?: true;
  /** It is of pixels: a page with another scale factor needs a browser of that scale (`BrowserRequirements.scaled`). */
  readonly scaled?: true;
  /** It leaves a page that other kinds can still capture, and can be taken after them. Without it: only alone. */
  readonly combines?: (typeof COMBINATIONS)[number];
}

/** What an `encode` tap returns. The content type and the extension are those of the declaration, unless they depend on the content. */
export interface EncodedOutput {
  readonly contentType?: string;
  readonly extension?: string;
  readonly body: Buffer | Readable;
  /** Size of a streaming body in bytes, if known in advance. */
  readonly length?: number;
  /** The content's own name; if missing, the server derives one from the target. */
  readonly filename?: string;
}

/** The output of a render. */
export interface Output extends EncodedOutput {
  readonly contentType: string;
  readonly extension: string;
}

/** One additional asset, as declared by its plugin. */
export interface AssetDeclaration {
  /** The switch: `with_har`. */
  readonly key: string;
  readonly name: string;
  /** A capture kind whose taps run for it too, beside the output's own capture. */
  readonly from?: string;
  /** The value of the key is a list of output types. Each is an asset of its own, named after its type, which the kernel makes. */
  readonly outputs?: true;
  /** Only a failed render has it. */
  readonly ofFailure?: true;
  /** It describes the output and the other assets: a streamed output is stored first, so that it is complete when the asset is made. */
  readonly ofOutput?: true;
}

/** An additional asset, with its plugin. */
export interface OwnedAsset extends AssetDeclaration {
  readonly plugin: string;
  /** The asset is an output of the same page. */
  readonly further?: FurtherOutput;
  /** Of a further output, if it differs from that of its own render. */
  readonly extension?: string;
}

/** An output beside the main one, with its own capture. */
export interface FurtherOutput {
  readonly output: OutputDeclaration;
  readonly capture: CaptureDeclaration;
  /** The owner of the output type. */
  readonly plugin: string;
}

export interface Asset {
  /** The name of its declaration: `har`. */
  readonly name: string;
  readonly contentType: string;
  /** Without a leading dot. May have two parts if the main output could have the same extension: `axtree.json`. */
  readonly extension: string;
  /** Viewers on other origins load it, so every page that knows its URL may read it. Not for assets with login data. */
  readonly forViewers?: boolean;
  /** If a part is missing: its name and the reason, written for the client. */
  readonly incomplete?: string;
  /** A stream is read immediately, while the page is open; a function is called when the page is closed. */
  readonly body: Buffer | Readable | ((made: MadeFiles) => Buffer | Readable | Promise<Buffer | Readable>);
}

/** A complete file of a render. */
export interface MadeFile {
  readonly contentType: string;
  readonly bytes: number;
  /** Of the bytes, hex. */
  readonly sha256: string;
}

/** What a render has made so far. */
export interface MadeFiles {
  /** Undefined for a failed render, and if no asset of the render describes the output (`ofOutput`). */
  readonly output: MadeFile | undefined;
  readonly assets: readonly (MadeFile & Pick<Asset, 'name'>)[];
}

export interface AssetCollector {
  /** Adds an asset. If storing it fails, it is missing from the response, but the render does not fail. */
  add(asset: Asset): Promise<void>;
  /** True after a failed render: assets show its cause, and have a few seconds. */
  isAfterFailure(): boolean;
}
