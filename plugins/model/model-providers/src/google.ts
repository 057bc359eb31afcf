import { definePlugin } from '@platen/kernel';
import {
  countAt,
  type HttpWire,
  type JsonSchema,
  listAt,
  mediaTypeOf,
  memberAt,
  type Message,
  registerWire,
  textAt,
} from '@platen/lib-models';

/** Finish reasons other than these are refusals: SAFETY, RECITATION, PROHIBITED_CONTENT ... */
const FINISH: Readonly<Record<string, 'stop' | 'length'>> = { STOP: 'stop', MAX_TOKENS: 'length' };

/** What `responseJsonSchema` takes (https://ai.google.dev/api/generate-content#GenerationConfig). */
const KEYWORDS: ReadonlySet<string> = new Set(
  'type title description format items prefixItems minItems maxItems minimum maximum anyOf oneOf enum properties required additionalProperties $ref $defs'.split(
    ' ',
  ),
);

/** `POST /models/NAME:generateContent` of Google's Gemini API. */
const GOOGLE: HttpWire = {
  protocol: 'google',
  defaultModel: 'gemini-2.5-flash',
  host: 'generativelanguage.googleapis.com',
  basePath: '/v1beta',
  keyVariable: 'GEMINI_API_KEY',
  authorize: (key) => ({ 'x-goog-api-key': key }),
  schemas: { keywords: KEYWORDS },
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

/** A schema that says nothing of its members is refused. */
function encodeSchema(schema: JsonSchema): object {
  const { properties, additionalProperties } = schema;
  return properties === undefined && additionalProperties === undefined ? {} : { responseJsonSchema: schema };
}
