import type { Outbound, OutboundOptions, OutboundResponse } from '@platen/kernel';
import type { JsonSchema, Usage } from '../message.js';

/** A request as a provider received it, in a form that all providers share. */
export interface SeenRequest {
  readonly model: string;
  readonly system: string | undefined;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly texts: readonly string[];
    readonly images: readonly Buffer[];
  }[];
  readonly schema: JsonSchema | undefined;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly key: string | undefined;
}

/** An answer, in no provider's form. With a value it is a structured one. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly value?: unknown;
  readonly finish?: 'stop' | 'length';
  readonly usage?: Omit<Usage, 'calls'>;
}

/** A response with another status than 200, or another body than an answer. */
export interface ScriptedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Step = ScriptedAnswer | ScriptedResponse;

/** An HTTP request as a provider receives it. */
export interface ReceivedRequest {
  /** With the query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The provider's side of a wire, written by its documentation and not by the wire's code. */
export interface Dialect {
  read(request: ReceivedRequest): SeenRequest;
  /** The body of a response. */
  write(answer: ScriptedAnswer & Required<Pick<ScriptedAnswer, 'finish' | 'usage'>>): unknown;
}

/** Tokens of scripted answers that name none. */
export const USAGE = { input: 100, output: 20, cached: 40 } as const;

/** The HTTP response to a step. */
export function writeStep(step: Step, dialect: Dialect): Required<ScriptedResponse> {
  if ('status' in step) return { headers: {}, body: '', ...step };
  return { status: 200, headers: {}, body: JSON.stringify(dialect.write({ finish: 'stop', usage: USAGE, ...step })) };
}

/** A provider that follows a script. */
export interface ScriptedProvider extends AsyncDisposable {
  /** `key` in percent-encoding, or empty; `options` after `model=test`. */
  connection(parts?: { readonly key?: string; readonly options?: string }): string;
  readonly outbound: Pick<Outbound, 'fetch'>;
  seen(): Promise<readonly SeenRequest[]>;
  /** Each request with everything but the header fields: the URL and the body. */
  readonly sent: readonly string[];
}

/** A provider by HTTP without a network: its `outbound` responds. */
export function scriptProvider(protocol: string, dialect: Dialect): (steps: readonly Step[]) => Promise<ScriptedProvider> {
  return (steps) => {
    const seen: SeenRequest[] = [];
    const sent: string[] = [];
    const respond = (url: string, { headers = {}, body = '', wantsBody = () => true }: OutboundOptions): OutboundResponse => {
      const { pathname, search } = new URL(url);
      const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      sent.push(`${url} ${String(body)}`);
      seen.push(dialect.read({ path: pathname + search, headers: lowered, body: JSON.parse(String(body)) }));
      const step = steps[seen.length - 1];
      if (step === undefined) throw new Error(`the script has ${String(steps.length)} steps only`);
      const response = writeStep(step, dialect);
      return { ...response, url, body: Buffer.from(wantsBody(response.status) ? response.body : '') };
    };
    return Promise.resolve({
      connection: ({ key = '', options = '' } = {}) => `${protocol}://${key === '' ? '' : `${key}@`}model.test?model=test${options}`,
      outbound: { fetch: (url: string, options: OutboundOptions) => Promise.resolve().then(() => respond(url, options)) },
      seen: () => Promise.resolve(seen),
      sent,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  };
}
