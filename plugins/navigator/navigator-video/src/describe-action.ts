import type { ActionEvent, ModelAction } from '@platen/plugin-navigate/keys';

/** Longer captions would cover the page. */
const MAX_LENGTH = 160;

/** The caption of an action, on one line: the navigator's reason, else a description. No secrets, if `redact` knows them. */
export function describeAction({ action, refs }: Pick<ActionEvent, 'action' | 'refs'>, redact: (text: string) => string): string {
  const nameOf = (ref: string): string => {
    const { role = 'element', name = '' } = refs.find(ref) ?? {};
    return name === '' ? role : `${role} ${quote(name)}`;
  };
  // The entry of this kind of action.
  const phrase = PHRASES[action.kind] as ((action: ModelAction, nameOf: NameOf) => string) | undefined;
  const why = action.why?.trim() ?? '';
  const text = redact(why === '' ? (phrase?.(action, nameOf) ?? '') : why)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = Array.from(text);
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}

type NameOf = (ref: string) => string;

type Kind = ModelAction['kind'];

const PHRASES: { readonly [K in Kind]?: (action: Extract<ModelAction, { readonly kind: K }>, nameOf: NameOf) => string } = {
  click: ({ ref }, nameOf) => `clicks ${nameOf(ref)}`,
  hover: ({ ref }, nameOf) => `points at ${nameOf(ref)}`,
  fill: ({ ref, value }, nameOf) => `fills ${nameOf(ref)} with ${describeValue(value)}`,
  select: ({ ref, values }, nameOf) => `selects ${values.map(describeValue).join(', ')} in ${nameOf(ref)}`,
  check: ({ ref, on }, nameOf) => `${on ? 'checks' : 'unchecks'} ${nameOf(ref)}`,
  press: ({ keys }) => `presses ${keys}`,
  scroll: ({ dir }) => `scrolls ${dir}`,
  drag: ({ from, to }, nameOf) => `drags ${nameOf(from)} to ${nameOf(to)}`,
  upload: ({ ref, files }, nameOf) => `attaches ${files.join(', ')} to ${nameOf(ref)}`,
  wait: () => 'waits',
  goto: ({ url }) => `opens ${url}`,
  back: () => 'goes back',
  tab: ({ close }) => (close === true ? 'closes a tab' : 'changes to another tab'),
  dialog: ({ accept }) => `${accept ? 'accepts' : 'dismisses'} the dialog`,
};

/** A value as the navigator gave it: credentials and data by name. */
function describeValue(value: string): string {
  const [, kind, name = ''] = /^(credential|data|write):(.*)$/s.exec(value) ?? [];
  if (kind === 'credential') return `the credential ${name}`;
  if (kind === 'data') return name;
  return kind === 'write' ? 'a text' : quote(value);
}

function quote(text: string): string {
  return `"${text.trim()}"`;
}
