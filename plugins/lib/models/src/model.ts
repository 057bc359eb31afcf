import type { Connection } from './connection.js';
import type { ModelRequest, Usage } from './message.js';

export interface Answer {
  readonly text: string;
  /** Valid by the schema; undefined without one. */
  readonly value: unknown;
  readonly usage: Usage;
  /** As the connection string names it. */
  readonly model: string;
}

export interface AskOptions {
  /** Its reason is the error of an aborted request. */
  readonly signal: AbortSignal;
  /** For everything: calls, retries, the repair. */
  readonly timeoutMs: number;
  /** Called after each call with its usage, also if the request fails later. */
  readonly onUsage?: (usage: Usage) => void;
}

/** A model. Printing or serializing it does not reveal its key. */
export interface Model extends Pick<Connection, 'protocol' | 'model' | 'name' | 'vision' | 'when' | 'writer' | 'escalate' | 'redact'> {
  /**
   * Asks the model. An answer that does not fit the schema is returned to the model once, with the errors.
   * @throws PlatenError `llm_upstream`: the provider failed; `llm_output_invalid`: the answer is not valid, cut or declined;
   *   `target_blocked`: the rules for addresses refuse the host of a request
   */
  ask(request: ModelRequest, options: AskOptions): Promise<Answer>;
}
