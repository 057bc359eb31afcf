import type { Result } from '@platen/kernel';

type ExceptionDetails = NonNullable<Result<'Runtime.evaluate'>['exceptionDetails']>;
type Thrown = NonNullable<ExceptionDetails['exception']>;
type Preview = NonNullable<Thrown['preview']>;

const MAX_LENGTH = 500;

/**
 * Describes a value that a script threw, on one line: an error's message, or the beginning of any other value. Runs no code of the page.
 */
export function describeThrown({ exception, text }: ExceptionDetails): string {
  return (describe(exception) ?? text).slice(0, MAX_LENGTH);
}

function describe(exception: Thrown | undefined): string | undefined {
  if (exception === undefined) return undefined;
  const { type, subtype, description, preview } = exception;
  if (type === 'undefined') return 'undefined';
  if (type === 'object' && subtype !== 'error' && preview !== undefined) return describeObject(preview, exception.className);
  return description === undefined ? JSON.stringify(exception.value) : description.split('\n', 1)[0];
}

/** `{"code": 5, "why": "closed", …}`; arrays in brackets, and the class name before the braces unless it is `Object`. */
function describeObject({ subtype, overflow, properties }: Preview, className = ''): string {
  const isList = subtype === 'array';
  const entries = properties.map(({ name, type, value = type }) => {
    const shown = type === 'string' ? JSON.stringify(value) : value;
    return isList && /^\d+$/.test(name) ? shown : `${JSON.stringify(name)}: ${shown}`;
  });
  const inner = [...entries, ...(overflow ? ['…'] : [])].join(', ');
  if (isList) return `[${inner}]`;
  return `${className === 'Object' || className === '' ? '' : `${className} `}{${inner}}`;
}
