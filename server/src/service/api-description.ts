import type { ErrorCode } from '@platen/kernel';
import type { JsonSchema } from '@platen/schema';

/** An endpoint's response for one status. */
export interface AnswerDescription {
  readonly description: string;
  /** JSON Schema of the body by content type. */
  readonly content?: Readonly<Record<string, JsonSchema>>;
  /** The description of each header, by its name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint, as in the OpenAPI document. */
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
  /** Error codes of the kernel's table, in addition to those that every endpoint has. */
  readonly errors?: readonly ErrorCode[];
  /** Security Scheme Objects by name; each of them is sufficient. Empty: no authentication. Absent: the server's default. */
  readonly credentials?: Readonly<Record<string, JsonSchema>>;
}

/** What `GET /` and `POST /` have beside their parameters and outputs. */
export type RenderDescription = Required<Pick<EndpointDescription, 'parameters'>> & Pick<EndpointDescription, 'answers'>;

/** Descriptions of what plugins add to the API. */
export interface ApiDescription {
  readonly endpoints: readonly EndpointDescription[];
  readonly renders: RenderDescription;
}
