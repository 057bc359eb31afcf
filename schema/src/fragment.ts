/** Source of a parameter set. `mcp` bodies have the rights of `body`; `flags` are the command line's. */
export type Source = 'query' | 'body' | 'mcp' | 'flags';

/** `x-sources` of parameters that no query string and no command line can have. */
export const BODY_ONLY = ['body', 'mcp'] as const satisfies readonly Source[];

/** `x-sources` of parameters that the command line can have too, with `x-at-file`. */
export const BODY_OR_FILE = [...BODY_ONLY, 'flags'] as const satisfies readonly Source[];

export type Tier = 'free' | 'pro' | 'enterprise';

type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/**
 * One key's JSON Schema (draft 2020-12) as written by its owner: without `null`, which the merge adds unless `nullable` is false. `default`
 * is published as an annotation and never injected.
 */
export interface Fragment {
  readonly type?: JsonType | readonly JsonType[];
  readonly description?: string;
  readonly title?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: 'uint' | 'uint32' | 'uint64';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Fragment;
  readonly properties?: Fragments;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Fragment;
  readonly anyOf?: readonly Fragment[];
  /** False if `null` is a 400 instead of "unset". */
  readonly nullable?: false;
  /** True if empty text is a 400 in a query and on a command line, too, instead of "unset". Used with `minLength`. */
  readonly 'x-refuses-empty'?: true;
  /** True if a single value is accepted as a list of one. */
  readonly 'x-single'?: true;
  /** True if a JSON number is accepted as text: `1` for `"1"`. Consumers get the text. */
  readonly 'x-number'?: true;
  readonly 'x-tier'?: Tier;
  /** The only sources that may set this key; absent: all sources. */
  readonly 'x-sources'?: readonly Source[];
  /** A secret: errors and logs never repeat it. A startup flag with one may be given as `@file`; a parameter with one is `x-uncached`, too. */
  readonly 'x-secret'?: true;
  /**
   * A parameter that gives a render side effects, or makes it that of one client and time: its result is never cached, unless the value is
   * the default or an empty list.
   */
  readonly 'x-uncached'?: true;
  /** A parameter beyond the interface specification. */
  readonly 'x-extension'?: true;
  /** A parameter whose text or object may be large: a body that holds it may have 128 MiB instead of 8. */
  readonly 'x-large'?: true;
  /** A text that may be a file of a form, which becomes a data: URL. */
  readonly 'x-file'?: true;
  /** A parameter that the command line reads from a file: `@FILE`. A secret one can be given only so. */
  readonly 'x-at-file'?: true;
  /** A parameter that brings code or styles of the request into pages, where they could read values that are filled in. */
  readonly 'x-code'?: true;
  /** MCP tools that accept the parameter, besides `render`, which accepts all. */
  readonly 'x-tools'?: readonly string[];
  /** A startup flag that a running server applies when it reloads its configuration. */
  readonly 'x-reloads'?: true;
  /** Server paths that a startup flag enables: their 404 names the flag. */
  readonly 'x-paths'?: readonly string[];
  /** Describes values that bounds cannot express: replaces the generated error text. */
  readonly 'x-expects'?: string;
  /**
   * Named values of the key, each with a short description. For keys with too many values for a sentence, and without `enum` since other
   * spellings are accepted, too. Published, and printed by help.
   */
  readonly 'x-values'?: Readonly<Record<string, string>>;
  /**
   * Names that other tools use for the key: not accepted and not published, but known to error texts. `true` suggests the key; a text
   * describes the alternative.
   */
  readonly 'x-synonyms'?: Readonly<Record<string, true | string>>;
  /** Words of tasks that the key solves and that its name and description lack: for searches, beside the synonyms. */
  readonly 'x-search'?: readonly string[];
  /** A startup flag: if it is given, tiers are enforced. Otherwise help omits them. */
  readonly 'x-enforces-tiers'?: true;
}

export type Fragments = Readonly<Record<string, Fragment>>;

/** A constraint across keys: any draft 2020-12 schema of the whole object, with the text of its error. */
export interface Rule {
  readonly 'x-message': string;
  readonly 'x-parameters': readonly string[];
  readonly [keyword: string]: unknown;
}

interface Scalars {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
}

type InferType<T, F> = T extends keyof Scalars
  ? Scalars[T]
  : T extends 'array'
    ? readonly (F extends { readonly items: infer I } ? InferFragment<I> : unknown)[]
    : T extends 'object'
      ? F extends { readonly additionalProperties: infer A extends Fragment }
        ? Readonly<Record<string, InferFragment<A>>>
        : Readonly<Record<string, unknown>>
      : unknown;

/** The TypeScript type of one fragment's value. */
export type InferFragment<F> = F extends { readonly enum: readonly (infer E)[] }
  ? E
  : F extends { readonly type: readonly (infer T)[] }
    ? InferType<T, F>
    : F extends { readonly type: infer T }
      ? InferType<T, F>
      : unknown;

/** The validated parameters that a set of fragments describes: every key optional, never `null`. */
export type InferParams<F> = { readonly [K in keyof F]?: InferFragment<F[K]> };

/** A validated parameter set whose keys are not known to the reader. */
export type RenderParams = Readonly<Record<string, unknown>>;

/** Types of a fragment's values; empty: any. */
export function typesOf({ type, enum: values = [], anyOf = [] }: Fragment): readonly string[] {
  if (type === undefined) return [...new Set([...values.map((value) => typeof value), ...anyOf.flatMap(typesOf)])];
  return typeof type === 'string' ? [type] : type;
}

/** Whether the key accepts a list of values. */
export function takesList(fragment: Fragment): boolean {
  const types = typesOf(fragment);
  return types.length === 0 || types.includes('array');
}

/** Whether the key accepts an object as value or item. */
export function takesObjects(fragment: Fragment): boolean {
  const types = typesOf(fragment);
  return types.length === 0 || types.includes('object') || (types.includes('array') && takesObjects(itemOf(fragment)));
}

export function itemOf({ items, anyOf = [] }: Fragment): Fragment {
  return items ?? anyOf.find((branch) => branch.items !== undefined)?.items ?? {};
}

/** The words by which a search finds the key, besides its name and description. */
export function searchTermsOf({ 'x-search': words = [], 'x-synonyms': synonyms = {} }: Fragment): readonly string[] {
  return [...words, ...Object.keys(synonyms).map((synonym) => synonym.replaceAll('_', ' '))];
}

/** Ranges of the interface's integer types. Beyond `Number.MAX_SAFE_INTEGER` JSON parsers disagree about the value. */
export const FORMATS = {
  uint: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  uint32: { minimum: 0, maximum: 0xffff_ffff },
  uint64: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
} as const satisfies Record<NonNullable<Fragment['format']>, { minimum: number; maximum: number }>;
