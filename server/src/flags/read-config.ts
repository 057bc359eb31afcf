import { describeReadError, isPlatenError, readTextFile } from '@platen/kernel';
import { parseJson } from './parse-json.js';
import { describeJsonFault } from './json-fault.js';
import { UsageError } from './usage-error.js';

/** The parsed config file, with line numbers. */
export interface ConfigFile {
  /** By flag name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The line of each name, from 1; known for YAML only. */
  readonly lines: ReadonlyMap<string, number>;
}

export const NO_CONFIG: ConfigFile = { values: {}, lines: new Map() };

export interface ReadConfigOptions {
  /** The file was read before: it must then be a regular file, and not empty. */
  readonly again?: boolean;
}

/**
 * Reads YAML if the name ends in `.yaml` or `.yml`, else JSON. Throws a `UsageError` with the position of the error, without quoting the
 * file.
 */
export async function readConfig(path: string, { again = false }: ReadConfigOptions = {}): Promise<ConfigFile> {
  const text = await readTextFile(path, { regular: again }).catch((error: unknown) => {
    throw new UsageError(`cannot read the config file ${path}: ${describeReadError(error)}`);
  });
  if (!/\.ya?ml$/i.test(path)) return { values: toObject(parseConfig(text, path), path), lines: new Map() };
  const { parseYaml } = await import('./parse-yaml.js');
  const { value, lines } = parseYaml(text, path);
  // An editor may empty a file before it writes the new content: an empty file does not withdraw the former values.
  if (again && (value ?? undefined) === undefined) {
    throw new UsageError(`the config file ${path} is empty now`, 'to set no flags, write {}');
  }
  // A file that contains only comments sets nothing; it is valid.
  return { values: toObject(value ?? {}, path), lines };
}

function toObject(value: unknown, path: string): ConfigFile['values'] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new UsageError(
    `the config file ${path} must contain an object whose keys are flag names`,
    'for example {"server-bind-port": 8080}, or in YAML: server-bind-port: 8080',
  );
}

/** As strict as for request bodies: of duplicate keys, parsers take different ones. */
function parseConfig(text: string, path: string): unknown {
  const problem = describeJsonFault(text);
  if (problem !== undefined) throw new UsageError(`the config file ${path} is not valid JSON`, problem);
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    throw new UsageError(`the config file ${path} is not valid`, error.message.replace(/^the body/, 'it'));
  }
}
