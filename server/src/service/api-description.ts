import type { ErrorCode } from '@platen/kernel';
import type { JsonSchema } from '@platen/schema';

/** What an endpoint answers with one status. */
export interface AnswerDescription {
  readonly description: string;
  /** JSON Schema of the body by content type. */
  readonly content?: Readonly<Record<string, JsonSchema>>;
  /** What each header says, by its name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint, as an OpenAPI document tells of it. */
export interface EndpointDescription {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly summary: string;
  /** CommonMark. */
  readonly description?: string;
  /** Parameter Objects of OpenAPI 3.1. */
  readonly parameters?: readonly JsonSchema[];
  /** JSON Schema of the body by content type. */
  readonly body?: Readonly<Record<string, JsonSchema>>;
  /** By status: `200`. */
  readonly answers: Readonly<Record<string, AnswerDescription>>;
  /** Of the kernel's table, beyond those that every endpoint has. */
  readonly errors?: readonly ErrorCode[];
  /** Security Scheme Objects by name, each of which lets in; none: nobody is asked. Absent: what the whole server asks for. */
  readonly credentials?: Readonly<Record<string, JsonSchema>>;
}

/** What plugins tell of the endpoints that they add. */
export interface ApiDescription {
  readonly endpoints: readonly EndpointDescription[];
}
