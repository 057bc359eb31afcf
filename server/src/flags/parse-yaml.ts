import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { UsageError } from './usage-error.js';

/** References to one anchor multiply the data: a config file needs few. */
const MAX_ALIASES = 100;

interface ParsedYaml {
  readonly value: unknown;
  /** The line of each key of the outermost mapping, from 1. */
  readonly lines: ReadonlyMap<string, number>;
}

/** Parses one YAML 1.2 document of the core schema: `yes` is a string, keys are unique strings, custom tags are rejected. */
export function parseYaml(text: string, path: string): ParsedYaml {
  const counter = new LineCounter();
  const document = parseDocument(text, { version: '1.2', stringKeys: true, prettyErrors: false, lineCounter: counter });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const reason =
      problem.code === 'MULTIPLE_DOCS' ? 'a second document starts here; a config file must contain one' : withoutQuotes(problem.message);
    const { line, col } = counter.linePos(problem.pos[0]);
    throw new UsageError(`the config file ${path} is not valid YAML`, `line ${line}, column ${col}: ${reason}`);
  }
  return { value: toValue(document, path), lines: linesOf(document, counter) };
}

function toValue(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch {
    throw new UsageError(`the config file ${path} is not valid YAML`, 'an alias is undefined, or too many aliases are expanded');
  }
}

/** Removes quotations and text after a colon: they come from the file and may be secret. */
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
