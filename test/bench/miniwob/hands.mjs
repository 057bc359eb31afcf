// What policies have in common.

/** The first element with a ref. `role`: a name or a pattern; `name`: a text or a pattern. */
export function find({ lines }, role, name) {
  const isRole = (line) => (role instanceof RegExp ? role.test(line.role) : role === undefined || line.role === role);
  const isName = (line) => (name instanceof RegExp ? name.test(line.name) : name === undefined || line.name === name);
  return lines.find((line) => line.ref !== undefined && isRole(line) && isName(line));
}

export function need(seen, role, name) {
  const found = find(seen, role, name);
  if (found === undefined) throw new Error(`the snapshot has no ${role ?? 'element'} ${name ?? ''}`);
  return found;
}

export const withRole = ({ lines }, role) => lines.filter((line) => line.role === role && line.ref !== undefined);

export async function click(world, role, name) {
  await world.act({ kind: 'click', ref: need(await world.look(), role, name).ref });
}

export const submit = (world, name = 'Submit') => click(world, 'button', name);

/** Fills the textbox at an index from 0. */
export async function fill(world, value, at = 0) {
  const box = withRole(await world.look(), 'textbox')[at];
  if (box === undefined) throw new Error(`the snapshot has no textbox ${at}`);
  await world.act({ kind: 'fill', ref: box.ref, value });
}

/** The quoted parts of the goal. */
export const quoted = ({ goal }) => [...goal.matchAll(/"([^"]*)"/g)].map(([, text]) => text);

/** From 0: of `2nd`. */
export const ordinal = (text) => Number.parseInt(/(\d+)(?:st|nd|rd|th)/.exec(text)?.[1] ?? '', 10) - 1;

export const match = (text, pattern) => {
  const found = pattern.exec(text);
  if (found === null) throw new Error(`the goal has another form: ${text}`);
  return found.slice(1);
};

/** The index of the line of a text. */
export function indexOf({ lines }, pattern) {
  const at = lines.findIndex(({ name }) => (pattern instanceof RegExp ? pattern.test(name) : name === pattern));
  if (at === -1) throw new Error(`the snapshot has no text ${pattern}`);
  return at;
}

/** The first element with a ref after a text. */
export function after(seen, pattern, role) {
  const from = seen.lines.slice(indexOf(seen, pattern) + 1);
  const found = from.find((line) => line.ref !== undefined && (role === undefined || line.role === role));
  if (found === undefined) throw new Error(`the snapshot has nothing after ${pattern}`);
  return found;
}
