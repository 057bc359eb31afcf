import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { UsageError } from '../cli/usage-error.js';

/** References to one anchor multiply what is read: a config file needs few. */
const MAX_ALIASES = 100;

interface ParsedYaml {
  readonly value: unknown;
  /** The line of each key of the outermost mapping, from 1. */
  readonly lines: ReadonlyMap<string, number>;
}

/** One YAML 1.2 document of the core schema: `yes` is a text, keys are texts and stand once, tags of one's own are refused. */
export function parseYaml(text: string, path: string): ParsedYaml {
  const counter = new LineCounter();
  const document = parseDocument(text, { version: '1.2', stringKeys: true, prettyErrors: false, lineCounter: counter });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    const reason =
      fault.code === 'MULTIPLE_DOCS' ? 'a second document begins here, and a config file is one' : withoutQuotes(fault.message);
    const { line, col } = counter.linePos(fault.pos[0]);
    throw new UsageError(`the config file ${path} is not valid YAML`, `line ${line}, column ${col}: ${reason}`);
  }
  return { value: toValue(document, path), lines: linesOf(document, counter) };
}

function toValue(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    throw new UsageError(`the config file ${path} is not valid YAML`, 'an alias leads nowhere, or too many lead to the same place');
  }
}

/** What is quoted, or stands behind a colon, is of the file and may be a secret. */
function withoutQuotes(message: string): string {
  return message.replace(/(?:: | ["'`])[^]*$/, '').trim();
}

function linesOf({ contents }: Document.Parsed, counter: LineCounter): ReadonlyMap<string, number> {
  const pairs = isMap(contents) ? contents.items : [];
  return new Map(
    pairs.flatMap(({ key }) => {
      const start = isScalar(key) ? key.range[0] : undefined;
      return isScalar(key) && start !== undefined ? [[String(key.value), counter.linePos(start).line] as const] : [];
    }),
  );
}
