import type { Readable } from 'node:stream';

/** Capture kinds by name: each capture plugin adds its own by declaration merging. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by plugins
export interface CaptureKinds {}

/** What an output may ask of its capture kind, by the kind's name: filled like `CaptureKinds`. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by plugins
export interface CaptureOptions {}

export type CaptureValue<K> = K extends keyof CaptureKinds ? CaptureKinds[K] : unknown;

/** One output type, as its plugin declares it. */
export interface OutputDeclaration {
  readonly type: string;
  /** Capture kind that feeds it; of several the first, unless its plugin's `plan` chooses another. */
  readonly from: string | readonly string[];
  readonly contentType: string;
  /** Without a dot. */
  readonly extension: string;
  /** Other endings of such files, without a dot: `tif` beside `tiff`. For the command line. */
  readonly endings?: readonly string[];
  /** Of an extension that ends in `gz`: the switch, among the plugin's keys, that leaves the packing out. */
  readonly noGzipKey?: string;
  /** Input spellings that are normalised to `type` before anything looks at it. */
  readonly aliases?: readonly string[];
  /** What the output asks of the capture kind. */
  readonly captureOptions?: object;
}

export interface Output {
  readonly contentType: string;
  readonly extension: string;
  readonly body: Buffer | Readable;
  /** Bytes of a body that streams, where they are known before it does. */
  readonly length?: number;
  /** Where the content has a name of its own; else the server makes one from the target. */
  readonly filename?: string;
}

/** One additional asset, as its plugin declares it. */
export interface AssetDeclaration {
  /** The switch: `with_har`. */
  readonly key: string;
  readonly name: string;
}

export interface Asset {
  /** The name of its declaration: `har`. */
  readonly name: string;
  readonly contentType: string;
  /** Without a dot in front; may have one inside where the main output could have the same: `axtree.json`. */
  readonly extension: string;
  /** Its viewers are pages of other origins: who knows where it lies may read it from any page. Not for what signs somebody in. */
  readonly forViewers?: boolean;
  /** Where a part of it is missing: which, and why, made for the client. */
  readonly incomplete?: string;
  /** A stream is read at once, while the page is there; a function is called when the page is closed. */
  readonly body: Buffer | Readable | (() => Buffer | Readable | Promise<Buffer | Readable>);
}

export interface AssetCollector {
  /** Takes an asset in. One that cannot be stored is missing from the answer; that is no failure of the render. */
  add(asset: Asset): Promise<void>;
}
