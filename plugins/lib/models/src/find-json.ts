import { jsonrepair } from 'jsonrepair';
import { isObject } from './wire.js';

const THOUGHT_TAG = /(<\/?(?:think|thinking|thought|reasoning)>|\[\/?THINK\])/i;

/** The answer in a model's text, and its thoughts: what is between such tags, what an opening tag begins, what a lone closing tag ends. */
export function splitThoughts(text: string): { readonly answer: string; readonly thoughts: string } {
  let [answer, thoughts, isThought] = ['', '', false];
  for (const [index, part] of text.split(THOUGHT_TAG).entries()) {
    const isTag = index % 2 === 1;
    const opens = isTag && !/^.\//.test(part);
    if (isTag && !opens && !isThought) [answer, thoughts] = ['', thoughts + answer];
    if (isTag) isThought = opens;
    else if (isThought) thoughts += part;
    else answer += part;
  }
  return answer === text ? { answer, thoughts } : { answer: answer.trim(), thoughts };
}

/** Values that a model's text may mean, the likeliest first: of its answer before its thoughts, valid JSON before JSON to be fixed. */
export function* findJson(text: string): Generator {
  yield* parseAll([text]);
  const { answer, thoughts } = splitThoughts(text);
  for (const part of [answer, thoughts, text]) {
    const { chunks, between } = findChunks(part);
    // A model comes to its answer last, but one value after another is a list.
    const list = chunks.length > 1 && /^(?:\s|[,;]|```\w*)*$/.test(between) ? [`[${chunks.join(',')}]`] : [];
    for (const slices of [list, [...chunks.reverse(), ...slicesOf(part)]]) {
      yield* parseAll(slices);
      yield* parseAll(slices, jsonrepair);
    }
  }
}

function* parseAll(texts: readonly string[], repair = (text: string) => text): Generator {
  for (const text of texts) {
    try {
      yield JSON.parse(repair(text));
    } catch {
      // It is not JSON.
    }
  }
}

/** The objects and lists in a text, from bracket to bracket, up to one that has no end. */
function findChunks(text: string): { readonly chunks: string[]; readonly between: string } {
  const chunks: string[] = [];
  const token = /"(?:[^"\\]|\\.)*(?:"|$)|[[\]{}]/gs;
  let between = '';
  for (let end = 0; ;) {
    const length = text.slice(end).search(/[[{]/);
    if (length === -1) return { chunks, between: between + text.slice(end) };
    const start = end + length;
    between += text.slice(end, start);
    token.lastIndex = start;
    let depth = 0;
    do {
      const [found] = token.exec(text) ?? [];
      if (found === undefined) return { chunks, between: between + text.slice(start) };
      if (found.length === 1) depth += '[{'.includes(found) ? 1 : -1;
    } while (depth > 0);
    end = token.lastIndex;
    chunks.push(text.slice(start, end));
  }
}

/** From the first bracket of a kind to the last one, or to the end: JSON within brackets of prose, without an end, or with other quotes. */
function slicesOf(text: string): readonly string[] {
  return ['{}', '[]'].flatMap(([open = '', close = '']) => {
    const start = text.indexOf(open);
    return start === -1 ? [] : [text.slice(start, text.lastIndexOf(close) + 1), text.slice(start)];
  });
}

/** The value, and what it may stand for: the arguments of a call, JSON in a text, the only member of an object or a list. */
export function* unwrapAll(value: unknown, depth = 3): Generator {
  yield value;
  if (depth === 0 || value === null) return;
  const inner = typeof value === 'string' ? [...parseAll([value])] : typeof value === 'object' ? Object.values(value) : [];
  // `{"name": "answer", "arguments": "{...}"}`.
  if (isObject(value) && typeof value['name'] === 'string') inner.unshift(value['arguments'] ?? value['parameters']);
  else if (inner.length > 1) return;
  if (inner[0] !== undefined) yield* unwrapAll(inner[0], depth - 1);
}
