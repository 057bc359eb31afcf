import type { JsonSchema, Message, Usage } from './message.js';

/** The request of one call, in a form that all providers share. */
export interface WireCall {
  readonly model: string;
  readonly system: string | undefined;
  /** Not empty. Without images if the connection has `vision=false`. */
  readonly messages: readonly Message[];
  /** An object schema, to be sent in the provider's own form for structured output. */
  readonly schema: JsonSchema | undefined;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  /** Values of the wire's own options, each in the given order. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  /** Whether the connection names another host than the provider's. */
  readonly isOtherHost: boolean;
}

/** A model's answer to one call. */
export interface WireReply {
  /** Empty if there is only a value. */
  readonly text: string;
  /** The structured answer, if the provider returns it parsed. */
  readonly value?: unknown;
  /** `length`: the answer was cut at a token limit. `refused`: the model or a filter of the provider declined. */
  readonly finish: 'stop' | 'length' | 'refused';
  readonly usage: Omit<Usage, 'calls'>;
}

/** What a provider takes of a schema. The rest is renamed or omitted in what is sent. */
export interface SchemaRules {
  /** Names that members may have. Default: any. */
  readonly names?: RegExp;
  /** Keywords that are sent. Default: any. */
  readonly keywords?: ReadonlySet<string>;
}

interface WireBase {
  /** Word before `://` in connection strings, in lower case. */
  readonly protocol: string;
  /** Used if a connection names no host and no model. */
  readonly defaultModel: string;
  /** Names of further options of its connection strings. */
  readonly options?: readonly string[];
}

/** A provider reached by HTTP: one JSON request, one JSON response, not streamed. Pure functions; the caller sends, retries and validates. */
export interface HttpWire extends WireBase {
  /** Host and port for connections without a host. */
  readonly host: string;
  /** Path before that of a request, for connections without a path: `/v1`. */
  readonly basePath: string;
  /** Environment variable with the key for connections without a host. */
  readonly keyVariable?: string;
  /** Header fields that carry the key: the only place where it is sent. */
  authorize(key: string): Readonly<Record<string, string>>;
  /** Further header fields. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly schemas?: SchemaRules;
  /** Path after the base path, with a leading slash. */
  path(call: WireCall): string;
  /** The request's body, before it is serialized. */
  encode(call: WireCall): unknown;
  /** Reads a response with status 200. @throws any error if it has another form */
  decode(body: unknown): WireReply;
}

/** A program on this machine. Refused in requests: only the operator may name it. */
export interface LocalWire extends WireBase {
  /** Rejects with a `ModelFailure`, or with the signal's reason. `path`: of the connection string, percent-decoded. */
  send(call: WireCall & { readonly path: string }, signal: AbortSignal): Promise<WireReply>;
  /** Ends the programs that it has started. */
  close(): void;
}

export type Wire = HttpWire | LocalWire;

export function isLocal(wire: Wire): wire is LocalWire {
  return 'send' in wire;
}

export interface ModelFailureOptions {
  readonly retryable?: boolean;
  readonly retryAfter?: number | undefined;
  readonly blockedBy?: string;
  readonly said?: string | undefined;
  readonly cause?: unknown;
}

/** A failed call. Its message is a clause for the client: no key, no host. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  /** Whether another attempt may succeed. */
  readonly retryable: boolean;
  /** Seconds that the provider asks to wait. */
  readonly retryAfter: number | undefined;
  /** The rule that refuses the address, as a clause. */
  readonly blockedBy: string | undefined;
  /** The provider's own text, for the log. */
  readonly said: string | undefined;

  constructor(message: string, { retryable = false, retryAfter, blockedBy, said, cause }: ModelFailureOptions = {}) {
    super(message, { cause });
    this.retryable = retryable;
    this.retryAfter = retryAfter;
    this.blockedBy = blockedBy;
    this.said = said;
  }
}

/** The member at a path of names and indexes in parsed JSON; undefined if there is none. */
export function memberAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined),
    value,
  );
}

/** The same for a list; empty if there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list = memberAt(value, ...path);
  return Array.isArray(list) ? list : [];
}

/** The same for a text. @throws TypeError if there is none */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const text = memberAt(value, ...path);
  if (typeof text !== 'string') throw new TypeError(`no text at ${path.join('.')}`);
  return text;
}

/** The text of a chat message: that of its calls of tools, of its content, or else of its thoughts. @throws TypeError if it has none of them */
export function messageTextAt(value: unknown, ...path: readonly (string | number)[]): string {
  const message = memberAt(value, ...path);
  const calls = listAt(message, 'tool_calls').map((call) => memberAt(call, 'function', 'arguments'));
  if (calls.length > 0) return calls.map((given) => (typeof given === 'string' ? given : JSON.stringify(given))).join('\n');
  const content = memberAt(message, 'content');
  const parts = listAt(content).map((part) => memberAt(part, 'text'));
  const text = Array.isArray(content) ? parts.filter((part) => typeof part === 'string').join('') : content;
  if (text !== '' && text !== null) return textAt({ text }, 'text');
  const thoughts = ['reasoning_content', 'reasoning', 'thinking'].map((name) => memberAt(message, name));
  const thought = thoughts.find((one): one is string => typeof one === 'string' && one !== '');
  return thought === undefined ? '' : `<think>${thought}</think>`;
}

/** The text of an error as providers write it: `{"error": {"message": "..."}}`, `{"error": "..."}`, `{"detail": "..."}`. */
export function errorTextAt(body: unknown): string | undefined {
  const [first = body] = listAt(body);
  const texts = [memberAt(first, 'error', 'message'), ...['error', 'message', 'detail'].map((name) => memberAt(first, name))];
  const error = texts.find((text) => text !== undefined && text !== null && text !== '');
  return error === undefined || typeof error === 'string' ? error : JSON.stringify(error);
}

/** The same for a number of tokens; 0 if there is none. */
export function countAt(value: unknown, ...path: readonly (string | number)[]): number {
  const count = memberAt(value, ...path);
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Whether parsed JSON is an object, not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
