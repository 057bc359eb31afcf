import type { ActionEvent, ModelAction } from '@platen/plugin-navigate/keys';

/** Longer captions would cover the page. */
const MAX_LENGTH = 160;
const CREDENTIAL = 'credential:';
const DATA = 'data:';
const WRITTEN = 'write:';

/** The caption of an action, on one line: what the navigator gives as the reason, else what it does. No secrets, if `redact` knows them. */
export function describeAction({ action, refs }: Pick<ActionEvent, 'action' | 'refs'>, redact: (text: string) => string): string {
  const nameOf = (ref: string): string => {
    const { role = 'element', name = '' } = refs.find(ref) ?? {};
    return name === '' ? role : `${role} ${quote(name)}`;
  };
  const why = action.why?.trim() ?? '';
  const text = redact(why === '' ? describe(action, nameOf) : why)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = Array.from(text);
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}

function describe(action: ModelAction, nameOf: (ref: string) => string): string {
  switch (action.kind) {
    case 'click':
      return `clicks ${nameOf(action.ref)}`;
    case 'hover':
      return `points at ${nameOf(action.ref)}`;
    case 'fill':
      return `fills ${nameOf(action.ref)} with ${describeValue(action.value)}`;
    case 'select':
      return `selects ${action.values.map(describeValue).join(', ')} in ${nameOf(action.ref)}`;
    case 'check':
      return `${action.on ? 'checks' : 'unchecks'} ${nameOf(action.ref)}`;
    case 'press':
      return `presses ${action.keys}`;
    case 'scroll':
      return `scrolls ${action.dir}`;
    case 'drag':
      return `drags ${nameOf(action.from)} to ${nameOf(action.to)}`;
    case 'upload':
      return `attaches ${action.files.join(', ')}`;
    default:
      return describeRest(action);
  }
}

/** Actions on no element. */
function describeRest(action: ModelAction): string {
  switch (action.kind) {
    case 'goto':
      return `opens ${action.url}`;
    case 'back':
      return 'goes back';
    case 'tab':
      return action.close === true ? 'closes a tab' : 'changes to another tab';
    case 'dialog':
      return `${action.accept ? 'accepts' : 'dismisses'} the dialog`;
    case 'wait':
      return 'waits';
    default:
      return '';
  }
}

/** A value as the navigator gave it: credentials and data by name. */
function describeValue(value: string): string {
  if (value.startsWith(CREDENTIAL)) return `the credential ${value.slice(CREDENTIAL.length)}`;
  if (value.startsWith(DATA)) return value.slice(DATA.length);
  return value.startsWith(WRITTEN) ? 'a text' : quote(value);
}

function quote(text: string): string {
  return `"${text.trim()}"`;
}
