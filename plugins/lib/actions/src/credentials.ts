import { matchesGlob } from '@platen/kernel';
import type { ElementFacts } from '@platen/lib-actor';
import { createCredentialScope, type UrlScope } from './url-scope.js';

/** A credential of the operator, with the globs of its origins. */
export interface StartupCredential {
  readonly name: string;
  readonly value: string;
  readonly origins: readonly string[];
}

/** Those of a request. */
export interface GivenCredentials {
  readonly navigator_credential?: Readonly<Record<string, string>>;
  readonly navigator_credential_origin?: Readonly<Record<string, readonly string[]>>;
}

export interface Credentials {
  /** Names of those that may be filled in on a page with this URL. */
  namesFor(url: string): readonly string[];
  readonly values: readonly string[];
  /** Whether one was resolved. */
  readonly hasGiven: boolean;
  /** Whether a form may be sent to this URL, after credentials were filled in. */
  maySend(formAction: string): boolean;
  /**
   * The value to fill in.
   * @throws CredentialRefusal if the name is unknown, or the credential does not belong into the element
   */
  resolve(name: string, element: ElementFacts): string;
}

/** The message is a clause for the model, and names no value. */
export class CredentialRefusal extends Error {
  override readonly name = 'CredentialRefusal';
}

interface Credential {
  readonly value: string;
  readonly scope: UrlScope;
}

const TEXT_TYPES: ReadonlySet<string | undefined> = new Set([undefined, '', 'text', 'email', 'tel', 'number', 'password', 'search', 'url']);
const PASSWORD_FIELD = /\b(?:current-password|new-password|one-time-code)\b/i;
const PASSWORD_NAME = /pass|pwd|kennwort|secret|\bpin\b/i;

/** The credentials of a render: those of the operator, and over them those of the request. */
export function createCredentials(url: string, params: GivenCredentials, startup: readonly StartupCredential[]): Credentials {
  const { navigator_credential: given = {}, navigator_credential_origin: origins = {} } = params;
  const all = new Map<string, Credential>();
  for (const { name, value, origins: globs } of startup) all.set(name, { value, scope: createCredentialScope(url, globs) });
  for (const [name, value] of Object.entries(given)) {
    const selected = Object.entries(origins).filter(([pattern]) => matchesGlob(pattern, name));
    const globs = selected.length === 0 ? undefined : selected.flatMap(([, list]) => list);
    all.set(name, { value, scope: createCredentialScope(url, globs) });
  }
  const filled = new Set<Credential>();
  return {
    get hasGiven() {
      return filled.size > 0;
    },
    maySend: (formAction) => [...filled].every((credential) => credential.scope.allows(formAction)),
    namesFor: (pageUrl) => [...all].flatMap(([name, { scope }]) => (scope.allows(pageUrl) ? [name] : [])),
    values: [...all.values()].map(({ value }) => value),
    resolve(name, element) {
      const credential = all.get(name);
      if (credential === undefined)
        throw new CredentialRefusal(`there is no credential "${name}"; there are: ${[...all.keys()].join(', ')}`);
      const reason = refusalOf(name, credential, element);
      if (reason !== undefined) throw new CredentialRefusal(`the credential "${name}" ${reason}`);
      filled.add(credential);
      return credential.value;
    },
  };
}

function refusalOf(
  name: string,
  { scope }: Credential,
  { tag, inputType, autocomplete = '', frameUrls, origin, formAction }: ElementFacts,
) {
  // A sandboxed frame is not of the site of its page.
  if (origin === 'null') return 'may not be filled in in this frame';
  if (!frameUrls.every((url) => scope.allows(url))) return 'may not be filled in on this site, or in a frame of it';
  if (formAction !== undefined && !scope.allows(formAction)) return 'may not be filled in: the form would send it to another site';
  const isTextField = tag === 'textarea' || (tag === 'input' && TEXT_TYPES.has(inputType));
  if (!isTextField) return 'belongs into a text field';
  const isPasswordField = inputType === 'password' || PASSWORD_FIELD.test(autocomplete);
  return PASSWORD_NAME.test(name) && !isPasswordField ? 'belongs into a password field' : undefined;
}
