import { readFile } from 'node:fs/promises';
import { describeJsonFault } from '../json-fault.js';
import { UsageError } from '../cli/usage-error.js';

/** The config file's object, by flag name. */
export async function readConfig(path: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(
      `cannot read the config file ${path}: ${error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'}`,
    );
  });
  const value = parse(text, path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`the config file ${path} must hold a JSON object`, 'for example {"server-bind-port": 8080}');
  }
  return { ...value };
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`the config file ${path} is not valid JSON`, describeJsonFault(text));
  }
}
