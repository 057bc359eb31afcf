import { styleText } from 'node:util';

const COLORS = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

type Fields = Readonly<Record<string, unknown>>;

/** One JSON line of the log as a line for people: `12:00:01 info  rendered 200 png 34 ms https://example.com/`. */
export function formatLine(line: string): string {
  const fields = parseFields(line);
  if (fields === undefined) return line;
  const { time, level, msg, err, ...rest } = fields;
  const name = String(level);
  const color = isColored(name) ? COLORS[name] : 'white';
  const pairs = Object.entries(rest).map(
    ([key, value]) => `${styleText('gray', `${key}=`)}${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = [styleText('gray', String(time).slice(11, 19)), styleText(color, name.padEnd(5)), String(msg)];
  return `${[...head, ...pairs].join(' ')}\n${describe(err)}`;
}

function parseFields(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isColored(name: string): name is keyof typeof COLORS {
  return Object.hasOwn(COLORS, name);
}

function describe(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const stack = 'stack' in err ? String(err.stack) : JSON.stringify(err);
  const cause = 'cause' in err ? `  caused by ${describe(err.cause).trimStart()}` : '';
  return `  ${stack.replaceAll('\n', '\n  ')}\n${cause}`;
}
