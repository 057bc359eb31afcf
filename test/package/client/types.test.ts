import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Kernel } from '@platen/kernel';
import type { JsonSchema } from '@platen/schema';
import { format } from 'prettier';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeJobs } from '../../../plugins/service/jobs/src/routes.js';
import { findExamples } from '../../../plugins/service/openapi/src/document/examples.js';
import { PROBLEM_SCHEMA } from '../../../plugins/service/openapi/src/document/problems.js';
import { boot } from '../../../server/src/boot/boot.js';
import { installedCatalog } from '../../../server/src/boot/catalog.js';
import { ROOT } from '../../architecture/workspaces.js';

// Writes the types of `platen/client`: `npm run client:types`.

let kernel: Kernel;
beforeAll(async () => {
  const io = { stdout: new PassThrough(), stderr: new PassThrough(), environment: {}, cwd: ROOT };
  kernel = (await boot([], io, installedCatalog)).createKernel();
});
afterAll(() => kernel.close(0));

it('the types of the client are those of the published schema: `npm run client:types` writes them', async () => {
  const specific = specificKeys();
  const common = Object.keys(kernel.schema.document.properties).filter((key) => !specific.has(key) && !FROM_TYPES.has(key));
  const text = `// Written by \`npm run client:types\` from the declarations of the plugins.
/* eslint-disable max-lines -- generated */

export type OutputType = ${outputTypes().map(quote).join(' | ')};

/** Parameters of every output type. */
interface CommonParams {${common.map(parameter).join('')}}

/** Parameters of some output types: \`OutputKeys\` has the types of each. */
interface OutputParams {${[...specific.keys()].map(parameter).join('')}}

/** Which output types have which parameters. */
type OutputKeys = ${groupByTypes(specific).join(' | ')};

type KeysOf<T, G = OutputKeys> = G extends { types: infer O; keys: infer K } ? ([Extract<T, O>] extends [never] ? never : K) : never;

/** Parameters of a render into the type \`T\`; \`W\` are the further types. Without \`output_type\` it is \`png\`, or \`json\` with one of its keys. */
export type RenderParams<T extends OutputType = 'json' | 'png', W extends OutputType = never> = CommonParams &
  Pick<OutputParams, KeysOf<T | W>> & {
    readonly output_type?: T | undefined;
    /** Further outputs of the same page: each is an asset. */
    readonly with_output?: readonly W[] | null | undefined;
  };

/** Parameters of a render into any type. */
export type AnyParams = { [T in OutputType]: (Alone<T> & { readonly output_type: T }) | Beside<T> }[OutputType] | Alone<'json' | 'png'>;
type Alone<T extends OutputType> = RenderParams<T> & Partial<Record<Exclude<keyof OutputParams, KeysOf<T>> | 'with_output', undefined>>;
type Beside<T extends OutputType> = RenderParams<T, OutputType> & { readonly output_type: T; readonly with_output: readonly OutputType[] };

/** ${String(PROBLEM_SCHEMA['description'])} */
export interface Problem {${membersOf(PROBLEM_SCHEMA)}}

/** The body of \`GET /jobs/{id}\`. */
export interface JobRecord {${membersOf(jobSchema())}}
`;
  const options: object = JSON.parse(await readFile(join(ROOT, '.config/prettier.json'), 'utf8'));
  await expect(await format(text, { ...options, parser: 'typescript' })).toMatchFileSnapshot(join(ROOT, 'package/src/client/types.ts'));
});

function groupByTypes(specific: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const unions = [...specific].map(([key, types]) => [types.map(quote).join(' | '), key] as const);
  return [...new Set(unions.map(([types]) => types))].map((types) => {
    const keys = unions.filter(([others]) => others === types).map(([, key]) => quote(key));
    return `{ types: ${types}; keys: ${keys.join(' | ')} }`;
  });
}

/** Their types depend on the type parameters of a request. */
const FROM_TYPES: ReadonlySet<string> = new Set(['output_type', 'with_output']);

const outputTypes = () => kernel.plugins.flatMap(({ definition: { outputs = [] } }) => outputs.map(({ type }) => type)).sort();

/**
 * The parameters that belong to some output types: those of the plugins that only such outputs need. Further outputs and switches (`with_har`)
 * may come with any output, and so may a key that chooses the output if no type is given.
 */
function specificKeys(): ReadonlyMap<string, readonly string[]> {
  const plugins = new Map(kernel.plugins.map(({ definition }) => [definition.name, definition]));
  const needs = (name: string): readonly string[] => [name, ...(plugins.get(name)?.requires ?? []).flatMap(needs)];
  const users = (owner: string) =>
    [...plugins.values()].filter(({ name, outputs = [] }) => outputs.length > 0 && needs(name).includes(owner));
  const examples = findExamples({ ...kernel, accepts });
  // A line of JSON may have every member.
  const members = kernel.schema.keys.get('crawl_content')?.fragment.items?.enum;
  const lines = { ...TARGET, output_type: 'jsonl', crawl_content: members, extract: { title: 'h1' } };
  const included = kernel.plan(kernel.validate(lines, 'body')).included.map(({ output }) => output.type);
  const entries = [...kernel.schema.keys].flatMap(([key, { owner, fragment }]): [string, readonly string[]][] => {
    const of = users(owner);
    const isAnywhere = of.length === 0 || of.some(({ assets = [], outputs = [] }) => assets.length > 0 || outputs.some(isChosen));
    if (isAnywhere || ALSO_NAVIGATOR.has(key)) return [];
    const outputs = of.flatMap((plugin) => plugin.outputs ?? []).filter(({ contentType }) => isOfKind(key, contentType));
    const example = examples.get(key) ?? TARGET;
    const values = [example, ...(fragment.examples ?? []).map((value) => ({ ...example, [key]: value }))];
    const types = outputs.map(({ type }) => type).filter((type) => values.some((value) => accepts({ ...value, output_type: type })));
    return [[key, [...new Set([...types, ...(types.some((type) => included.includes(type)) ? ['jsonl'] : [])])].sort()]];
  });
  return new Map(entries);
}

const TARGET = { url: 'https://example.com/' };
/** The model that it names may act as a navigator, before an output of any type. */
const ALSO_NAVIGATOR: ReadonlySet<string> = new Set(['llm_format_model']);

const isChosen = ({ defaultFor }: { readonly defaultFor?: string | readonly string[] }) => defaultFor !== undefined;

/** `image_width` is of images, `video_width` of videos. */
function isOfKind(key: string, contentType: string): boolean {
  const [kind = ''] = key.split('_');
  return !['image', 'video'].includes(kind) || contentType.startsWith(`${kind}/`);
}

function accepts(params: Readonly<Record<string, unknown>>): boolean {
  try {
    kernel.plan(kernel.validate(params, 'body'));
    return true;
  } catch {
    return false;
  }
}

function parameter(key: string): string {
  const schema = kernel.schema.document.properties[key] ?? {};
  return member(key, schema, kernel.schema.document.required.includes(key) && !isFilledIn(key) ? '' : 'undefined');
}

/** With `undefined` beside its type, it may also be given as such. */
function member(name: string, { description, ...schema }: JsonSchema, missing: string): string {
  const comment = typeof description === 'string' ? `\n/** ${description.replaceAll('*/', '*\\/')} */` : '';
  const type = unite([typeOf(schema, DEPTH), ...(missing === '' ? [] : [missing])]);
  return `${comment}\nreadonly ${name}${missing === '' ? '' : '?'}: ${type.startsWith('unknown') ? 'unknown' : type};`;
}

function membersOf({ properties, required = [] }: JsonSchema): string {
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>)
    .map(([name, schema]) => member(name, schema, (required as readonly string[]).includes(name) ? '' : 'undefined'))
    .join('');
}

function jobSchema(): JsonSchema {
  const { endpoints } = describeJobs({ endpoints: [], renders: { parameters: [], answers: {} } });
  const schema = endpoints.find(({ method }) => method === 'get')?.answers[200]?.content?.['application/json'] ?? {};
  return { ...schema, properties: { ...(schema['properties'] as JsonSchema), problem: { $ref: 'Problem' } } };
}

/** Whether a plugin may set it in place of the request. */
const isFilledIn = (key: string) => key === 'url' && kernel.plugins.some(({ definition }) => definition.complete !== undefined);

/** Of objects: those deeper inside, as in a storage state, have any members. */
const DEPTH = 2;

function typeOf({ type, enum: values, anyOf, const: only, $ref: name, ...schema }: JsonSchema, depth: number): string {
  if (typeof name === 'string') return name;
  if (Array.isArray(values)) return values.map(quote).join(' | ');
  if (only !== undefined) return quote(only);
  const types = [type].flat();
  if (Array.isArray(anyOf) && (type === undefined || types.includes('object')))
    return unite(anyOf.map((each: JsonSchema) => typeOf(each, depth)));
  return type === undefined ? 'unknown' : unite(types.map((each) => typeOfOne(each, schema, depth)));
}

const unite = (types: readonly string[]) => [...new Set(types)].join(' | ');

function typeOfOne(type: unknown, { items, properties, required = [], additionalProperties: others }: JsonSchema, depth: number): string {
  if (type === 'integer') return 'number';
  if (type === 'array') return `readonly (${typeOf((items ?? {}) as JsonSchema, depth)})[]`;
  if (type !== 'object') return String(type);
  if (typeof others === 'object') return `Readonly<Record<string, ${typeOf(others as JsonSchema, depth)}>>`;
  if (properties === undefined || others === true || depth === 0) return 'Readonly<Record<string, unknown>>';
  const members = Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
    ([name, schema]) => `readonly ${quote(name)}${(required as readonly string[]).includes(name) ? '' : '?'}: ${typeOf(schema, depth - 1)}`,
  );
  return `{ ${members.join('; ')} }`;
}

const quote = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
