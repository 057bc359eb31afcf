// What a policy sees: the lines of a snapshot.

const LINE = /^(\s*)([\w-]+)(?: "((?:[^"\\]|\\.)*)")?(?: \[ref=(e\d+)\])?(.*)$/;

/** The results of earlier episodes. */
const COUNTERS = /^ *text "Last reward:"\n(?:.*\n){3}.*\n.*\n *text "Episodes done:"\n.*\n/m;

/** The elements of a snapshot in their order, without the goal's own text. */
export function readLines(snapshot) {
  const lines = [];
  const text = snapshot.replace(COUNTERS, '');
  for (const line of text.split('\n').slice(2)) {
    const [, indent, role, name, ref, rest] = LINE.exec(line) ?? [];
    if (role === undefined || line.startsWith('Outside')) continue;
    const [, value = ''] = / value="((?:[^"\\]|\\.)*)"/.exec(rest) ?? [];
    const options =
      / options=\[(.*)\]/
        .exec(rest)?.[1]
        .match(/"((?:[^"\\]|\\.)*)"/g)
        ?.map((one) => unescape(one.slice(1, -1))) ?? [];
    lines.push({ depth: indent.length, role, name: unescape(name ?? ''), ref, rest, value: unescape(value), options });
  }
  return { text, lines };
}

function unescape(text) {
  return text.replace(/\\(["\\])/g, '$1');
}
