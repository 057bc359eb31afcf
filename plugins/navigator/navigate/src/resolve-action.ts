import type { Action, Actor } from '@platen/lib-actor';
import type { ModelAction } from './keys.js';
import { CredentialRefusal, type Credentials } from './credentials.js';
import type { GivenFile } from './read-inputs.js';
import type { UrlScope } from './url-scope.js';

/** Why an action is not carried out: a clause for the model. */
export class ActionRefusal extends Error {
  override readonly name = 'ActionRefusal';
}

export interface ActionSources {
  readonly actor: Actor;
  readonly scope: UrlScope;
  readonly startUrl: string;
  readonly credentials: Credentials;
  readonly data: ReadonlyMap<string, string>;
  readonly files: readonly GivenFile[];
  /** Undefined without a writer. */
  readonly write: ((instruction: string) => Promise<string>) | undefined;
}

/** The kinds that act on the page. */
export type PageAction = Exclude<ModelAction, { readonly kind: 'escalate' | 'done' | 'fail' }>;

const MAX_WAIT_MS = 10_000;

/**
 * The action with its values in the place of their names.
 * @throws ActionRefusal if a name is unknown, or a rule forbids the action
 */
export async function resolveAction(action: PageAction, sources: ActionSources): Promise<Action> {
  const { data } = sources;
  switch (action.kind) {
    case 'fill':
      return { ...action, ...(await resolveValue(action, sources)) };
    case 'select':
      return { ...action, values: action.values.map((value) => readData(value, data) ?? value) };
    case 'upload':
      return { ...action, files: action.files.map((name) => findFile(name, sources.files)) };
    case 'wait':
      return { ...action, ms: Math.min(MAX_WAIT_MS, Math.max(0, action.ms)) };
    case 'goto':
      return { ...action, url: checkUrl(action.url, sources) };
    default:
      return action;
  }
}

async function resolveValue(
  { ref, value }: Extract<PageAction, { readonly kind: 'fill' }>,
  { actor, credentials, data, write }: ActionSources,
): Promise<{ readonly value: string; readonly secret?: true }> {
  const [, source, rest = ''] = /^(credential|write):(.*)$/s.exec(value) ?? [];
  if (source === 'credential') {
    try {
      return { value: credentials.resolve(rest.trim(), await actor.describe(ref)), secret: true };
    } catch (error) {
      throw error instanceof CredentialRefusal ? new ActionRefusal(error.message) : error;
    }
  }
  if (source === 'write') {
    if (write === undefined) throw new ActionRefusal('there is no writer: give the text itself');
    return { value: await write(rest.trim()) };
  }
  return { value: readData(value, data) ?? value };
}

/** The value of `data:NAME`; undefined for any other text. */
function readData(text: string, data: ReadonlyMap<string, string>): string | undefined {
  if (!text.startsWith('data:')) return undefined;
  const name = text.slice('data:'.length).trim();
  const value = data.get(name);
  if (value === undefined) throw new ActionRefusal(`there is no data "${name}"; there are: ${[...data.keys()].join(', ') || 'none'}`);
  return value;
}

function findFile(name: string, files: readonly GivenFile[]): GivenFile {
  const file = files.find((one) => one.name === name);
  if (file === undefined)
    throw new ActionRefusal(`there is no file "${name}"; there are: ${files.map((one) => one.name).join(', ') || 'none'}`);
  return file;
}

/** Shorter values stand in many URLs by chance. */
const SHORTEST_DATA = 4;

/** The absolute URL. It may not carry given data to another site than that of the start. */
function checkUrl(text: string, { actor, scope, startUrl, data }: ActionSources): string {
  const { url: base = startUrl } = actor.tabs.find(({ isCurrent }) => isCurrent) ?? {};
  if (!URL.canParse(text, base)) throw new ActionRefusal('it is not a URL');
  const url = new URL(text, base);
  if (!/^https?:$/.test(url.protocol) || !scope.allows(url.href)) throw new ActionRefusal(`${url.href} is outside of where you may go`);
  const spoken = safeDecode(url.href);
  const leak = [...data].find(([, value]) => value.length >= SHORTEST_DATA && spoken.includes(value));
  if (leak !== undefined && url.origin !== new URL(startUrl).origin)
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
