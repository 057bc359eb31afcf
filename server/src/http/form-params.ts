import { invalidParameter, isPlatenError } from '@platen/kernel';
import { coerceQuery, type Fragment, type QueryPair, type RequestSchema, takesObjects } from '@platen/schema';
import mime from 'mime';
import { parseJson } from '../flags/parse-json.js';
import type { FormPart } from './read-form.js';

export interface FormOptions {
  readonly schema: RequestSchema;
  /** Reserves the memory of values that are written as JSON; throws if there is none. */
  takeMemory(bytes: number): void;
}

/**
 * The raw parameters of a form: text fields as in a query, lists also as JSON, objects as JSON. A file is the text of its key, a data: URL if
 * the key takes files (`x-file`), or an entry by its file name if it takes an object of data: URLs.
 *
 * @throws PlatenError `invalid_parameters` that names the part
 */
export function toParams(parts: readonly FormPart[], { schema, takeMemory }: FormOptions): Readonly<Record<string, unknown>> {
  const pairs: QueryPair[] = [];
  const values = new Map<string, unknown>();
  const files = new Map<string, Map<string, string>>();
  const set = (name: string, value: unknown) => {
    if (values.has(name)) throw givenTwice(name);
    values.set(name, value);
  };
  for (const part of parts) {
    const { name, filename } = part;
    const fragment = schema.keys.get(name)?.fragment;
    if (name === '') throw invalidParameter('', 'a part of the form has no name');
    if (filename !== undefined && fragment !== undefined && takesFiles(fragment)) addFile(files, part);
    else if (fragment !== undefined && isJson(part, fragment)) set(name, readJson(part, takeMemory));
    else if (filename !== undefined && fragment?.['x-file'] === true) set(name, dataUrlOf(part, filename));
    else if (filename !== undefined && fragment?.type === 'string') set(name, textOf(part).replace(/^\uFEFF/, ''));
    else if (filename !== undefined && fragment !== undefined) throw invalidParameter(name, `"${name}" is not a file`);
    // A key that does not exist is refused by the validator.
    else pairs.push([name, fragment === undefined ? '' : textOf(part)]);
  }
  for (const [name, entries] of files) set(name, Object.fromEntries(entries));
  const fields = coerceQuery(pairs, schema);
  for (const name of Object.keys(fields)) set(name, fields[name]);
  // Own properties for all names, including `__proto__`: the validator refuses them.
  return Object.fromEntries(values);
}

/** The key takes data: URLs by file name. */
function takesFiles({ additionalProperties: entry }: Fragment): boolean {
  return typeof entry === 'object' && entry.pattern?.startsWith('^data:') === true;
}

/** Objects are JSON; so is a list that is one field. */
function isJson({ bytes }: FormPart, fragment: Fragment): boolean {
  const opening = bytes.subarray(0, 100).toString('latin1').trimStart()[0];
  return (
    (opening === '{' || opening === '[') &&
    (takesObjects(fragment) || (opening === '[' && fragment.type === 'array' && bytes.length <= LONGEST_LIST && isParsed(bytes)))
  );
}

/** Bytes of a list as JSON. */
const LONGEST_LIST = 1024 ** 2;

/** An item of a list may begin with a bracket. */
function isParsed(bytes: Buffer): boolean {
  try {
    return Array.isArray(JSON.parse(bytes.toString()));
  } catch {
    return false;
  }
}

function readJson({ name, bytes }: FormPart, takeMemory: FormOptions['takeMemory']): unknown {
  try {
    return parseJson(bytes, { takeMemory });
  } catch (error) {
    if (!isPlatenError(error) || !['malformed_request', 'invalid_parameters'].includes(error.code)) throw error;
    throw invalidParameter(name, `"${name}": ${error.message.replace(/^the body/, 'its text')}`);
  }
}

function textOf({ name, bytes }: FormPart): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidParameter(name, `"${name}" is not text in UTF-8`);
  }
}

function addFile(files: Map<string, Map<string, string>>, { name, filename = '', type, bytes }: FormPart): void {
  const entries = files.get(name) ?? new Map<string, string>();
  files.set(name, entries);
  if (filename === '') throw invalidParameter(name, `"${name}" must have files with a name`);
  if (filename === '__proto__') throw invalidParameter(name, `"${name}.__proto__" has a name that is not allowed`);
  if (entries.has(filename)) throw givenTwice(`${name}.${filename}`);
  entries.set(filename, dataUrlOf({ type, bytes }, filename));
}

function dataUrlOf({ type, bytes }: Pick<FormPart, 'type' | 'bytes'>, filename: string): string {
  return `data:${mediaTypeOf(filename, type)};base64,${bytes.toString('base64')}`;
}

/** Clients that do not know the type of a file say `application/octet-stream`. A data: URL has no place for other parameters. */
function mediaTypeOf(filename: string, stated: string): string {
  const [type = ''] = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; *charset=[\w-]+)?/.exec(stated.trim()) ?? [];
  return type === '' || /^application\/octet-stream/i.test(type) ? (mime.getType(filename) ?? 'application/octet-stream') : type;
}

function givenTwice(name: string): Error {
  return invalidParameter(name.replace(/\..*/s, ''), `"${name}" is given twice`);
}
