import { jsonrepair } from 'jsonrepair';

/**
 * The JSON value in a model's text: the text itself, or its outermost object or list, with common syntax errors fixed. Undefined: there is
 * none.
 */
export function parseAnswer(text: string): unknown {
  const start = text.search(/[[{]/);
  if (start === -1) return tryParse(text);
  const end = text.lastIndexOf(text[start] === '{' ? '}' : ']');
  const slice = end > start ? text.slice(start, end + 1) : text.slice(start);
  return tryParse(text) ?? tryParse(slice) ?? tryParse(slice, jsonrepair);
}

function tryParse(text: string, repair = (given: string) => given): unknown {
  try {
    return JSON.parse(repair(text));
  } catch {
    return undefined;
  }
}
