import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { ServerApi } from '@platen/kernel';
import type { JsonSchema } from '@platen/schema';
import type {} from '@platen/server';
import type { Progress } from '../progress.js';

/** Who calls: of a call over stdio, nothing is known. */
export interface Caller extends Pick<Parameters<ServerApi['render']>[0], 'id' | 'identity' | 'trace'> {
  /** Whether it can fetch paths of this server. */
  readonly isHttp: boolean;
  /** Reserves memory for so many bytes of the result, until it is sent; false: there is no room. */
  reserve(bytes: number): boolean;
}

export interface ToolCall {
  readonly caller: Caller;
  /** Aborted when the client cancels or disconnects. */
  readonly signal: AbortSignal;
  /** Absent: the client wants no progress. */
  readonly progress?: Progress;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** A JSON Schema of the arguments. */
export interface InputSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** A tool as `tools/list` shows it, and its work. */
export interface Tool {
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: InputSchema;
    readonly annotations: ToolAnnotations;
  };
  /**
   * @param args names and types are not yet checked
   * @throws PlatenError
   */
  call(args: Arguments, call: ToolCall): Promise<CallToolResult>;
}
