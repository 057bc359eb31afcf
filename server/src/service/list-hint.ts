import { isPlatenError, PlatenError } from '@platen/kernel';
import { mayGive, type RequestSchema, type Source, takesList } from '@platen/schema';

interface Request {
  readonly raw: unknown;
  readonly source: Source;
}

/**
 * Commas separate no items, since cookies and headers contain them, and a query has no JSON: a refused list that is written so is explained.
 * Returns other errors as they are.
 */
export function withListHint(error: unknown, { raw, source }: Request, { keys }: Pick<RequestSchema, 'keys'>): unknown {
  const write = HOW[source];
  if (!isPlatenError(error) || error.details.errors === undefined || write === undefined) return error;
  const isList = (key: string): boolean => {
    const fragment = keys.get(key)?.fragment;
    const given: unknown = typeof raw === 'object' && raw !== null ? Reflect.get(raw, key) : undefined;
    return (
      fragment !== undefined &&
      takesList(fragment) &&
      mayGive(fragment['x-sources'] ?? [source], source) &&
      [given].flat().some((item) => typeof item === 'string' && /,|^\s*\[/.test(item))
    );
  };
  const { message, details } = error;
  const [first] = details.errors ?? [];
  const errors = (details.errors ?? []).map(({ parameter, detail }) => ({
    parameter,
    detail: isList(parameter) ? `${detail}; ${write(parameter)}` : detail,
  }));
  const [told] = errors;
  if (first === undefined || told === undefined) return error;
  const text = message.startsWith(first.detail) ? told.detail + message.slice(first.detail.length) : message;
  return new PlatenError(error.code, text, { ...details, errors, cause: error });
}

const HOW: Readonly<Partial<Record<Source, (key: string) => string>>> = {
  query: (key) => `a list in a query repeats the key: ${key}=a&${key}=b`,
  flags(key) {
    const flag = `--${key.replaceAll('_', '-')}`;
    return `a list repeats the flag: ${flag} a ${flag} b`;
  },
};
