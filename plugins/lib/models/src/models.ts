import { invalidParameter, type Logger, PlatenError } from '@platen/kernel';
import { answer } from './answer.js';
import { type Connection, ConnectionError, parseConnection } from './connection.js';
import type { ModelRequest } from './message.js';
import type { AskOptions, Model } from './model.js';
import { registryOf, type WireHost } from './registry.js';
import { ModelFailure } from './wire.js';

/** Where a connection string comes from: its errors name this flag (`startup`, without dashes) or parameter (`request`). */
export interface ConnectionOrigin {
  readonly source: 'startup' | 'request';
  readonly name: string;
}

export interface Models {
  /**
   * Parses a connection string, or the bare name of a provider. Sends nothing. To be called after every `apply`: in `prepare` or later.
   * @throws PlatenError `invalid_parameters` or `boot_invalid_flag`, by the origin
   */
  open(connection: string, origin: ConnectionOrigin): Model;
}

/** Opens models with the providers that the plugins of this kernel have registered. */
export function modelsOf(
  host: WireHost & { readonly log: Logger },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Models {
  const { wires, startup } = registryOf(host);
  return {
    open(text, { source, name }) {
      let connection;
      try {
        connection = parseConnection(text, { wires, source, environment });
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error;
        if (source === 'request') throw invalidParameter(name, `"${name}" ${error.message}`);
        throw new PlatenError('boot_invalid_flag', `--${name} ${error.message}`);
      }
      const model = createModel(connection, { ...host, source });
      if (source === 'startup') startup.push({ flag: name, model });
      return model;
    },
  };
}

type ModelParts = WireHost & { readonly log: Logger; readonly source: ConnectionOrigin['source'] };

function createModel(connection: Connection, parts: ModelParts): Model {
  const { protocol, model, name, vision, when, writer, escalate, redact } = connection;
  return Object.freeze({
    protocol,
    model,
    name,
    vision,
    when,
    writer,
    escalate,
    redact,
    ask: async (request: ModelRequest, options: AskOptions) => {
      try {
        return await answer(request, { ...options, ...parts, connection });
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        if (error.said !== undefined) parts.log.warn({ model: name, error: error.said }, 'a language model reported an error');
        throw explain(error, connection, parts.source);
      }
    },
  });
}

/** Clients do not learn the host of a model that the operator has chosen. */
function explain(failure: ModelFailure, { name, protocol }: Connection, source: ConnectionOrigin['source']): PlatenError {
  const who = `the model "${name}" (${protocol})`;
  const { blockedBy, retryable, retryAfter, message } = failure;
  if (blockedBy !== undefined && source === 'request') {
    return new PlatenError('target_blocked', `${who} may not be requested: ${blockedBy}`, { cause: failure });
  }
  return new PlatenError('llm_upstream', `${who} ${message}`, {
    cause: failure,
    retryable,
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
  });
}
