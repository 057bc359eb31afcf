/** A part of a message: text, or the bytes of a PNG or JPEG. */
export type Part = { readonly text: string } | { readonly image: Buffer };

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly Part[];
  /** The conversation up to here is the same in the next request: a provider that needs a mark to cache it gets one. At most three. */
  readonly stable?: boolean;
}

/** A JSON Schema, draft 2020-12 or (by its `$schema`) draft-07. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A request to a model. */
export interface ModelRequest {
  /** Rules that take precedence over the messages; never text of a page. */
  readonly system?: string;
  readonly messages: readonly Message[];
  /** Schema of the answer. Without it the answer is text. */
  readonly schema?: JsonSchema;
  /** Members of the answer that are null count as absent, and scalars are converted to the types of the schema. */
  readonly lenient?: boolean;
}

/** Tokens and calls. `input` includes `cached`, the input tokens that the provider read from its cache. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly calls: number;
}

export const NO_USAGE: Usage = Object.freeze({ input: 0, output: 0, cached: 0, calls: 0 });

export function addUsage(a: Usage, b: Usage): Usage {
  return { input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached, calls: a.calls + b.calls };
}

/** The media type of an image, by its first bytes. @throws TypeError if it is neither a PNG nor a JPEG */
export function mediaTypeOf(image: Buffer): 'image/png' | 'image/jpeg' {
  if (image.readUInt32BE(0) === 0x89504e47) return 'image/png';
  if (image.readUInt16BE(0) === 0xffd8) return 'image/jpeg';
  throw new TypeError('a model is sent images as PNG or JPEG only');
}
