import { type Action, type Actor, clipboardUse, type ElementFacts, parseKeys, type Secret } from '@platen/lib-actor';
import { CredentialRefusal, type Credentials } from './credentials.js';
import type { GivenFile } from './given-files.js';
import type { UrlScope } from './url-scope.js';

/** Why an action is not carried out: a clause for the model. */
export class ActionRefusal extends Error {
  override readonly name = 'ActionRefusal';
}

export interface ActionSources {
  readonly actor: Actor;
  readonly scope: UrlScope;
  readonly context: { readonly plan: { readonly url: string } };
  readonly credentials: Credentials;
  readonly navigation: { readonly data: ReadonlyMap<string, string> };
  readonly files: readonly GivenFile[];
  /** Undefined without a writer. */
  readonly write: ((instruction: string) => Promise<string>) | undefined;
}

/** An action by name of its values: `value` and `values` may be `credential:NAME`, `data:NAME` or `write:INSTRUCTION`, files are names. */
export type NamedAction = (
  | Exclude<Action, { readonly kind: 'fill' | 'upload' }>
  | { readonly kind: 'fill'; readonly ref: string; readonly value: string; readonly submit?: boolean }
  | { readonly kind: 'upload'; readonly ref: string; readonly files: readonly string[] }
) & {
  /** Its purpose, in a few words. */
  readonly why?: string;
};

const MAX_WAIT_MS = 10_000;

/**
 * The action with its values in the place of their names.
 * @throws ActionRefusal if a name is unknown, or a rule forbids the action
 */
export async function resolveAction(action: NamedAction, sources: ActionSources): Promise<Action> {
  const { data } = sources.navigation;
  switch (action.kind) {
    case 'fill':
      if (action.submit === true) await checkSubmit(action.ref, sources);
      return { ...action, ...(await resolveValue(action, sources)) };
    case 'type':
      if (action.value.startsWith('credential:')) throw new ActionRefusal('a credential is filled in, not typed: use fill');
      await checkSubmit(action.ref, sources);
      return refuseMoves({ ...action, ...(await resolveValue(action, sources)) }, sources);
    case 'select':
      return { ...action, values: action.values.map((value) => readData(value, data) ?? value) };
    case 'upload':
      await checkUpload(action.ref, sources);
      return { ...action, files: action.files.map((name) => findFile(name, sources.files)) };
    case 'click':
      if (action.button === 'middle') refuseCopies('middle clicks', sources);
      await checkSubmit(action.ref, sources);
      return action;
    case 'press':
      if (clipboardUse(parseKeys(action.keys)) !== undefined) refuseCopies('keys that copy, cut or paste', sources);
      await checkSubmit(action.ref, sources);
      return action;
    case 'drag':
      if (await mayDragSecret(action.from, sources)) refuseCopies('drags from its field', sources);
      return action;
    case 'wait':
      return { ...action, ms: Math.min(MAX_WAIT_MS, Math.max(0, action.ms)) };
    case 'goto':
      return { ...action, url: checkUrl(action.url, sources) };
    default:
      return action;
  }
}

async function resolveValue(
  { ref, value }: Extract<NamedAction, { readonly kind: 'fill' | 'type' }>,
  { actor, credentials, navigation, write }: ActionSources,
): Promise<{ readonly value: string; readonly secret?: Secret }> {
  const [, source, rest = ''] = /^(credential|write):(.*)$/s.exec(value) ?? [];
  if (source === 'credential') {
    const resolve = (field: ElementFacts): string => {
      try {
        return credentials.resolve(rest.trim(), field);
      } catch (error) {
        throw error instanceof CredentialRefusal ? new ActionRefusal(error.message) : error;
      }
    };
    return { value: resolve(await actor.describe(ref)), secret: { accept: (field) => void resolve(field) } };
  }
  if (source === 'write') {
    if (write === undefined) throw new ActionRefusal('there is no writer: give the text itself');
    return { value: await write(rest.trim()) };
  }
  return { value: readData(value, navigation.data) ?? value };
}

/** Files are given to pages where the navigator may be. */
async function checkUpload(ref: string, { actor, scope }: ActionSources): Promise<void> {
  const { frameUrls } = await actor.describe(ref);
  const frame = frameUrls.find((url) => !scope.allows(url));
  if (frame !== undefined) throw new ActionRefusal('the file would be given to another site, in a frame');
}

/**
 * A button may send the form to another site than the form itself says, and a script may have changed that since the form was filled in.
 * Without a ref, a key goes to where the focus is.
 */
async function checkSubmit(ref: string | undefined, { actor, credentials }: ActionSources): Promise<void> {
  if (!credentials.hasGiven) return;
  const { formAction } = await actor.describe(ref);
  if (formAction !== undefined && !credentials.maySend(formAction))
    throw new ActionRefusal('the form would send a credential to another site');
}

/** A key that follows others may go to another button than the one that was checked. */
function refuseMoves<T extends { readonly value: string; readonly submit?: boolean }>(typed: T, { credentials }: ActionSources): T {
  if (credentials.hasGiven && (typed.submit === true || /[\t\r\n]/.test(typed.value)))
    throw new ActionRefusal('a credential was filled in: press Tab and Enter by "press" from then on');
  return typed;
}

/** What takes a selected text elsewhere would take a credential along. */
function refuseCopies(what: string, { credentials }: ActionSources): void {
  if (credentials.hasGiven)
    throw new ActionRefusal(`a credential was filled in: ${what} are refused from then on, since they could copy it`);
}

/** A drag of a frame begins at what is in its middle. */
async function mayDragSecret(ref: string, { actor, credentials }: ActionSources): Promise<boolean> {
  if (!credentials.hasGiven) return false;
  const { holdsSecret = false, tag } = await actor.describe(ref);
  return holdsSecret || tag === 'iframe';
}

/** The value of `data:NAME`; undefined for any other text. */
function readData(text: string, data: ReadonlyMap<string, string>): string | undefined {
  if (!text.startsWith('data:')) return undefined;
  const given = text.slice('data:'.length);
  const name = given.trim();
  // A literal of a step keeps its white space.
  const value = data.get(given) ?? data.get(name);
  if (value === undefined) throw new ActionRefusal(`there is no data "${name}"; there are: ${[...data.keys()].join(', ') || 'none'}`);
  return value;
}

function findFile(name: string, files: readonly GivenFile[]): GivenFile {
  const file = files.find((one) => one.name === name);
  if (file === undefined)
    throw new ActionRefusal(`there is no file "${name}"; there are: ${files.map((one) => one.name).join(', ') || 'none'}`);
  return file;
}

/** Of the current tab. */
export function urlOf({ tabs }: Actor): string {
  return tabs.find(({ isCurrent }) => isCurrent)?.url ?? '';
}

/** Shorter values stand in many URLs by chance. */
const SHORTEST_DATA = 4;

/** Characters of a URL in a message. */
const MAX_URL = 200;

/** The absolute URL. It may not carry given data to another site than that of the start. */
function checkUrl(text: string, { actor, scope, context, navigation }: ActionSources): string {
  const base = urlOf(actor);
  if (!URL.canParse(text, base)) throw new ActionRefusal('it is not a URL');
  const url = new URL(text, base);
  if (!/^https?:$/.test(url.protocol)) throw new ActionRefusal(`only URLs of http and https can be opened, not of "${url.protocol}"`);
  if (!scope.allows(url.href)) throw new ActionRefusal(`${url.href.slice(0, MAX_URL)} is outside of where you may go`);
  const spoken = safeDecode(url.href);
  const leak = [...navigation.data].find(([, value]) => value.length >= SHORTEST_DATA && spoken.includes(value));
  if (leak !== undefined && url.origin !== new URL(context.plan.url).origin)
    throw new ActionRefusal(`the URL would give the data "${leak[0]}" to another site`);
  return url.href;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}
