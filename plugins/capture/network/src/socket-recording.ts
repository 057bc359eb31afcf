import { createInterface } from 'node:readline';
import type { RecordingSpool } from './body-recording.js';
import type { WebSocketMessage, WebSocketTraffic } from './exchange.js';

/** The messages of one WebSocket, written to the spool as one line of JSON each. */
export interface SocketRecording {
  add(message: WebSocketMessage): void;
  describe(): WebSocketTraffic;
}

/** Maximum characters of a stored message, because a text is copied several times on its way into the spool. */
const LONGEST = 16 * 2 ** 20;

/** RFC 6455, 5.2. */
const TEXT = 1;

/** `limit`: maximum characters of stored messages, counted in whole messages. */
export function openSocketRecording(spool: RecordingSpool, limit = Infinity): SocketRecording {
  const writer = spool.openWriter();
  let stored = 0;
  let messages = 0;
  let omitted = 0;
  let full = false;
  return {
    add(given) {
      const message =
        given.data.length > LONGEST ? { ...given, data: '', omittedCharacters: given.data.length } : redactMessage(given, spool.redaction);
      full ||= stored + message.data.length > limit || !writer.write(lineOf(message));
      if (full) omitted += 1;
      else {
        stored += message.data.length;
        messages += 1;
      }
    },
    describe: () => ({ messages, omitted, read: () => read(writer.open()) }),
  };
}

function redactMessage(message: WebSocketMessage, redaction: RecordingSpool['redaction']): WebSocketMessage {
  if (redaction === undefined) return message;
  return { ...message, data: message.opcode === TEXT ? redaction.text(message.data) : redaction.base64(message.data) };
}

/** Node's line reader treats these two characters as line ends, and JSON does not escape them. */
function lineOf(message: WebSocketMessage): Buffer {
  const text = JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return Buffer.from(`${text}\n`);
}

async function* read(lines: NodeJS.ReadableStream): AsyncGenerator<WebSocketMessage> {
  // Written by `add`.
  for await (const line of createInterface({ input: lines, crlfDelay: Infinity })) yield JSON.parse(line) as WebSocketMessage;
}
