/** An encoding in progress: the containers encoded so far, and the blobs still to be read. */
interface Encoding {
  readonly ids: Map<object, number>;
  readonly later: (() => Promise<void>)[];
}

type ViewType = new (buffer: ArrayBuffer) => ArrayBufferView;

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary);
}

function toBytes(source: ArrayBufferView | ArrayBuffer): string {
  return toBase64(
    ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source),
  );
}

function encodeView(view: ArrayBufferView): unknown {
  const known: readonly (readonly [string, ViewType])[] = [
    ['i8', Int8Array],
    ['ui8', Uint8Array],
    ['ui8c', Uint8ClampedArray],
    ['i16', Int16Array],
    ['ui16', Uint16Array],
    ['i32', Int32Array],
    ['ui32', Uint32Array],
    ['f32', Float32Array],
    ['f64', Float64Array],
    ['bi64', BigInt64Array],
    ['bui64', BigUint64Array],
  ];
  const kind = known.find(([, type]) => view instanceof type)?.[0];
  if (kind !== undefined) return { ta: { b: toBytes(view), k: kind } };
  return { tx: { b: toBytes(view), k: view instanceof DataView ? 'dv' : 'f16' } };
}

function encodePrimitive(value: unknown): unknown {
  if (value === undefined) return { v: 'undefined' };
  if (value === null) return { v: 'null' };
  if (typeof value === 'bigint') return { bi: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { v: String(value) };
  return Object.is(value, -0) ? { v: '-0' } : value;
}

function encodeAny(value: unknown, encoding: Encoding, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return encodePrimitive(value);
  // Deeper values would exceed the limit for requests: 1000 levels, nine of which belong to the state.
  if (depth > 987) throw new Error('a value that is nested too deeply');
  const known = encoding.ids.get(value);
  if (known !== undefined) return { ref: known };
  return encodeLeaf(value, encoding) ?? encodeContainer(value, encoding, depth);
}

/** Undefined if the object contains other values. */
function encodeLeaf(value: object, { later }: Encoding): unknown {
  if (ArrayBuffer.isView(value)) return encodeView(value);
  if (value instanceof ArrayBuffer) {
    const most: unknown = Reflect.get(value, 'resizable') === true ? Reflect.get(value, 'maxByteLength') : undefined;
    return { ab: { b: toBytes(value), ...(most === undefined ? {} : { x: most }) } };
  }
  if (value instanceof Date) return { d: Number.isNaN(value.getTime()) ? null : value.toISOString() };
  if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } };
  if (value instanceof DOMException) return { de: { n: value.name, m: value.message } };
  if (value instanceof Error) return Object.hasOwn(value, 'cause') ? undefined : { e: encodeError(value) };
  if (value instanceof ImageData) {
    const { width: w, height: h, colorSpace: c, data } = value;
    // Some browsers support byte pixels only.
    const format: unknown = Reflect.get(value, 'pixelFormat');
    return { id: { w, h, c, b: toBytes(data), ...(typeof format === 'string' && format !== 'rgba-unorm8' ? { f: format } : {}) } };
  }
  if (value instanceof Blob) {
    const encoded = { t: value.type, b: '', ...(value instanceof File ? { n: value.name, m: value.lastModified } : {}) };
    later.push(async () => {
      encoded.b = toBytes(await value.arrayBuffer());
    });
    return value instanceof File ? { fi: encoded } : { bl: encoded };
  }
  const isBoxed = ['Number', 'String', 'Boolean', 'BigInt'].includes(tagOf(value));
  return isBoxed ? { bx: encodePrimitive(value.valueOf()) } : undefined;
}

function encodeError({ name: n, message: m, stack: s = '' }: Error): { readonly n: string; readonly m: string; readonly s: string } {
  return { n, m, s };
}

function encodeContainer(value: object, encoding: Encoding, depth: number): unknown {
  const id = encoding.ids.size + 1;
  encoding.ids.set(value, id);
  // An object, an array, and an object for each entry: three levels of JSON per level of the value.
  const inner = (item: unknown) => encodeAny(item, encoding, depth + 3);
  const pairs = (entries: readonly (readonly [unknown, unknown])[]) => entries.map(([k, v]) => ({ k: inner(k), v: inner(v) }));
  if (value instanceof Error) return { e: { ...encodeError(value), c: inner(value.cause) }, id };
  if (value instanceof Map) return { m: pairs([...value]), id };
  if (value instanceof Set) return { s: [...value].map(inner), id };
  if (Array.isArray(value)) {
    return isDense(value) ? { a: value.map(inner), id } : { sp: { l: value.length, p: pairs(Object.entries(value)) }, id };
  }
  if (tagOf(value) !== 'Object') throw new Error(`a ${tagOf(value)}`);
  return { o: Object.entries(value).map(([k, v]) => ({ k, v: inner(v) })), id };
}

/** False for arrays with holes, which differ from `undefined`, or with named properties. */
function isDense(list: readonly unknown[]): boolean {
  const names = Object.keys(list);
  return names.length === list.length && (list.length === 0 || names.at(-1) === String(list.length - 1));
}

/**
 * Encodes values of IndexedDB as JSON, in the tagged format of Playwright's storage state: `v` for primitives that JSON lacks, `d` date,
 * `u` URL, `bi` bigint, `e` error, `r` regular expression, `a` array, `o` object, `m` map, `s` set, `ta` typed array, `ab` buffer, and
 * `ref` for an object encoded earlier with that `id`. Platen adds `bl` blob, `fi` file, `id` image data, `tx` views that Playwright does
 * not support, `sp` sparse array or array with named properties, `bx` boxed primitive and `de` DOM exception. It also adds `c`, the cause
 * of an error, and `x`, the maximum length of a resizable buffer.
 *
 * Throws an error whose message describes the value that cannot be stored.
 */
export async function encode(value: unknown): Promise<unknown> {
  const encoding: Encoding = { ids: new Map(), later: [] };
  const encoded = encodeAny(value, encoding, 0);
  for (const fill of encoding.later) await fill();
  return encoded;
}

/** True if plain JSON represents the value exactly. */
export function isPlain(value: unknown, seen = new Set<object>(), depth = 0): boolean {
  if (typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  // Some readers of the file treat a top-level `null` as a missing value.
  if (value === null) return depth > 0;
  // JSON would duplicate an object that is referenced twice.
  if (typeof value !== 'object' || seen.has(value) || depth > 990) return false;
  seen.add(value);
  if (Array.isArray(value)) return isDense(value) && value.every((item) => isPlain(item, seen, depth + 1));
  if (tagOf(value) !== 'Object') return false;
  // Requests may not contain this name.
  return Object.entries(value).every(([name, item]) => name !== '__proto__' && isPlain(item, seen, depth + 1));
}
