import { definePlugin } from '@platen/kernel';
import { countAt, type HttpWire, listAt, mediaTypeOf, memberAt, type Message, registerWire, textAt } from '@platen/lib-models';

/** Finish reasons other than these are refusals: SAFETY, RECITATION, PROHIBITED_CONTENT ... */
const FINISH: Readonly<Record<string, 'stop' | 'length'>> = { STOP: 'stop', MAX_TOKENS: 'length' };

/** `POST /models/NAME:generateContent` of Google's Gemini API. */
const GOOGLE: HttpWire = {
  protocol: 'google',
  defaultModel: 'gemini-2.5-flash',
  host: 'generativelanguage.googleapis.com',
  basePath: '/v1beta',
  keyVariable: 'GEMINI_API_KEY',
  authorize: (key) => ({ 'x-goog-api-key': key }),
  path: ({ model }) => `/models/${encodeURIComponent(model)}:generateContent`,
  encode: ({ system, messages, schema, temperature, maxTokens }) => ({
    ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: messages.map(encodeMessage),
    generationConfig: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
      ...(schema === undefined ? {} : { responseMimeType: 'application/json', ...encodeSchema(schema) }),
    },
  }),
  decode(body) {
    const candidate = memberAt(body, 'candidates', 0);
    const blocked = memberAt(body, 'promptFeedback', 'blockReason') !== undefined;
    const parts = listAt(candidate, 'content', 'parts').filter((part) => memberAt(part, 'thought') !== true);
    return {
      text: parts.flatMap((part) => (memberAt(part, 'text') === undefined ? [] : [textAt(part, 'text')])).join(''),
      finish: blocked ? 'refused' : (FINISH[textAt(candidate, 'finishReason')] ?? 'refused'),
      usage: {
        input: countAt(body, 'usageMetadata', 'promptTokenCount'),
        output: countAt(body, 'usageMetadata', 'candidatesTokenCount') + countAt(body, 'usageMetadata', 'thoughtsTokenCount'),
        cached: countAt(body, 'usageMetadata', 'cachedContentTokenCount'),
      },
    };
  },
};

export default definePlugin({
  name: 'google',
  apply(api) {
    registerWire(api, GOOGLE);
  },
});

function encodeMessage({ role, parts }: Message): object {
  const encoded = parts.map((part) =>
    'text' in part ? { text: part.text } : { inlineData: { mimeType: mediaTypeOf(part.image), data: part.image.toString('base64') } },
  );
  return { role: role === 'assistant' ? 'model' : 'user', parts: encoded };
}

/**
 * The members of Gemini's `Schema` (https://ai.google.dev/api/caching#Schema), a part of OpenAPI's. Answers are validated by the whole
 * schema anyway, so that restrictions may be omitted.
 */
const SCHEMA_MEMBERS: ReadonlySet<string> = new Set(
  'type title description enum items minItems maxItems properties required minProperties maxProperties minLength maxLength pattern anyOf minimum maximum default'.split(
    ' ',
  ),
);
const OMITTED: ReadonlySet<string> = new Set(['additionalProperties', 'format', '$schema', '$id']);

/** Every model takes `responseSchema`; `responseJsonSchema` is for schemas that it cannot express: references, unions of types. */
export function encodeSchema(schema: object): object {
  const converted = convert(schema);
  return converted === undefined ? { responseJsonSchema: schema } : { responseSchema: converted };
}

/** Undefined if `Schema` cannot express it. */
function convert(schema: unknown): object | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return undefined;
  const entries = Object.entries(schema).filter(([name]) => !OMITTED.has(name));
  const converted = entries.map(([name, value]): readonly [string, unknown] => [name, convertMember(name, value)]);
  return converted.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(converted);
}

function convertMember(name: string, value: unknown): unknown {
  if (!SCHEMA_MEMBERS.has(name)) return undefined;
  if (name === 'type') return typeof value === 'string' ? value : undefined;
  if (name === 'enum') return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
  if (name === 'items') return convert(value);
  if (name !== 'properties' && name !== 'anyOf') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const parts = Object.entries(value).map(([key, part]): readonly [string, unknown] => [key, convert(part)]);
  if (parts.some(([, part]) => part === undefined)) return undefined;
  return name === 'anyOf' ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
