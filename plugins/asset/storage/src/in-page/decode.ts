interface Bytes {
  readonly b: string;
}

interface ErrorParts {
  readonly n: string;
  readonly m: string;
  readonly s: string;
  readonly c?: unknown;
}

interface Pair {
  readonly k: unknown;
  readonly v: unknown;
}

/** The union of all tagged values: each has one of these names, and an `id` if others refer to it. */
interface Tagged {
  readonly ref?: number;
  readonly v?: string;
  readonly d?: string | null;
  readonly u?: string;
  readonly bi?: string;
  readonly e?: ErrorParts;
  readonly de?: { readonly n: string; readonly m: string };
  readonly r?: { readonly p: string; readonly f: string };
  readonly bx?: unknown;
  readonly ta?: Bytes & { readonly k: string };
  readonly tx?: Bytes & { readonly k: string };
  readonly ab?: Bytes & { readonly x?: number };
  readonly bl?: Bytes & { readonly t: string };
  readonly fi?: Bytes & { readonly t: string; readonly n: string; readonly m: number };
  readonly a?: readonly unknown[];
  readonly o?: readonly { readonly k: string; readonly v: unknown }[];
  readonly m?: readonly Pair[];
  readonly s?: readonly unknown[];
  readonly sp?: { readonly l: number; readonly p: readonly Pair[] };
  readonly id?: number | (Bytes & { readonly w: number; readonly h: number; readonly c: PredefinedColorSpace; readonly f?: string });
}

type Refs = Map<unknown, unknown>;

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Decodes the tagged values that `encode` and Playwright write. */
export function decode(encoded: unknown, refs: Refs = new Map<unknown, unknown>()): unknown {
  if (typeof encoded !== 'object' || encoded === null) return encoded;
  // A constructor rejects a member whose type does not match its tag.
  const tagged = encoded as Tagged;
  if (tagged.ref !== undefined) return decodeRef(tagged.ref, refs);
  if (tagged.v !== undefined) return decodeWord(tagged.v);
  const decoded = decodeScalar(tagged) ?? decodeBytes(tagged) ?? decodeContainer(tagged, refs);
  if (decoded === undefined) throw new TypeError('it has an unknown form');
  return decoded;
}

function decodeRef(id: number, refs: Refs): unknown {
  if (!refs.has(id)) throw new RangeError('its reference is unknown');
  return refs.get(id);
}

function decodeWord(word: string): unknown {
  if (word === 'null') return null;
  if (word === 'undefined') return undefined;
  if (!['NaN', 'Infinity', '-Infinity', '-0'].includes(word)) throw new RangeError('it is an unknown value');
  return Number(word);
}

function decodeScalar({ d, u, bi, de, r, bx }: Tagged): unknown {
  if (d !== undefined) return new Date(d ?? NaN);
  if (u !== undefined) return new URL(u);
  if (bi !== undefined) return BigInt(bi);
  if (de !== undefined) return new DOMException(de.m, de.n);
  if (r !== undefined) return new RegExp(r.p, r.f);
  const boxed: unknown = bx === undefined ? undefined : Object(decode(bx));
  return boxed;
}

function decodeError({ n, m, s }: ErrorParts): Error {
  const types = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];
  const error = new (types.find(({ name }) => name === n) ?? Error)(m);
  error.name = n;
  error.stack = s;
  return error;
}

function decodeBytes({ ta, tx, ab, bl, fi, id }: Tagged): unknown {
  if (ab !== undefined) return ab.x === undefined ? fromBase64(ab.b).buffer : toResizable(ab.b, ab.x);
  if (ta !== undefined) return decodeView(ta);
  if (tx !== undefined) return decodeView(tx);
  if (bl !== undefined) return new Blob([fromBase64(bl.b)], { type: bl.t });
  if (fi !== undefined) return new File([fromBase64(fi.b)], fi.n, { type: fi.t, lastModified: fi.m });
  if (typeof id !== 'object') return undefined;
  // The pixel format determines the array type; ImageData accepts no other.
  const data = id.f === 'rgba-float16' ? decodeView({ b: id.b, k: 'f16' }) : new Uint8ClampedArray(fromBase64(id.b).buffer);
  const settings = { colorSpace: id.c, ...(id.f === undefined ? {} : { pixelFormat: id.f }) };
  return Reflect.construct(ImageData, [data, id.w, id.h, settings]);
}

function toResizable(text: string, maxByteLength: number): ArrayBuffer {
  const bytes = fromBase64(text);
  // The TypeScript library of our target version declares only one parameter.
  const buffer = Reflect.construct(ArrayBuffer, [bytes.length, { maxByteLength }]) as ArrayBuffer;
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

function decodeView({ b, k }: { readonly b: string; readonly k: string }): unknown {
  const names = new Map([
    ['i8', 'Int8Array'],
    ['ui8', 'Uint8Array'],
    ['ui8c', 'Uint8ClampedArray'],
    ['i16', 'Int16Array'],
    ['ui16', 'Uint16Array'],
    ['i32', 'Int32Array'],
    ['ui32', 'Uint32Array'],
    ['f16', 'Float16Array'],
    ['f32', 'Float32Array'],
    ['f64', 'Float64Array'],
    ['bi64', 'BigInt64Array'],
    ['bui64', 'BigUint64Array'],
    ['dv', 'DataView'],
  ]);
  const type: unknown = Reflect.get(globalThis, names.get(k) ?? '');
  if (typeof type !== 'function') throw new Error(`unknown typed array "${k}"`);
  return Reflect.construct(type, [fromBase64(b).buffer]);
}

/** A container is registered before it is filled, since its content may refer to it. */
function decodeContainer({ e, a, o, m, s, sp, id }: Tagged, refs: Refs): unknown {
  const known = <T>(container: T): T => {
    if (id !== undefined) refs.set(id, container);
    return container;
  };
  const inner = (item: unknown) => decode(item, refs);
  // Defined rather than assigned, so that `__proto__` is an ordinary name.
  const define = (target: object, name: PropertyKey, value: unknown) =>
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  if (e !== undefined) {
    const error = known(decodeError(e));
    if ('c' in e) Object.defineProperty(error, 'cause', { value: inner(e.c), writable: true, enumerable: false, configurable: true });
    return error;
  }
  if (a !== undefined) {
    const list = known<unknown[]>([]);
    for (const item of a) list.push(inner(item));
    return list;
  }
  if (o !== undefined) {
    const object = known({});
    for (const { k, v } of o) define(object, k, inner(v));
    return object;
  }
  if (m !== undefined) {
    const map = known(new Map<unknown, unknown>());
    for (const { k, v } of m) map.set(inner(k), inner(v));
    return map;
  }
  if (s !== undefined) {
    const set = known(new Set<unknown>());
    for (const item of s) set.add(inner(item));
    return set;
  }
  if (sp === undefined) return undefined;
  const list = known<unknown[]>([]);
  list.length = sp.l;
  for (const { k, v } of sp.p) define(list, String(k), inner(v));
  return list;
}
