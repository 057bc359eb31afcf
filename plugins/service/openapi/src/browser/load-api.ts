import { readApi, type Api } from './api.js';
import { credentialHeaders, readToken, showTokenForm } from './credentials.js';
import { byId, make } from './dom.js';
import { isObject, textAt } from './read-json.js';

/** The server's root: these modules are located one directory below it. */
export const ROOT = new URL('../', import.meta.url);

/** Loads the server's document. If a token is required, shows the token form first. */
export async function loadApi(onTokenChanged: () => void): Promise<Api | undefined> {
  const response = await window.fetch(new URL('openapi.json', ROOT), { headers: credentialHeaders() });
  const wantsToken = response.status === 401 && /^bearer/i.test(response.headers.get('WWW-Authenticate') ?? '');
  const body: unknown = await response.json();
  if (response.ok && isObject(body)) {
    const api = readApi(body);
    if (api.asks.has('token')) showAbove(showTokenForm('This server accepts a token.', onTokenChanged));
    return api;
  }
  if (wantsToken) {
    showAbove(
      showTokenForm(readToken() === '' ? 'This server requires a token.' : 'The server does not accept this token.', onTokenChanged),
    );
    byId('main').replaceChildren();
    return undefined;
  }
  const detail = isObject(body) ? textAt(body, 'detail') : '';
  byId('main').replaceChildren(make('p', { class: 'notice', role: 'alert' }, `The API description could not be loaded: ${detail}`));
  return undefined;
}

function showAbove(form: HTMLElement): void {
  document.querySelector('form.token')?.remove();
  byId('top').after(form);
}
