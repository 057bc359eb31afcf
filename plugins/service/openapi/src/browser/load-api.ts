import { readApi, type Api } from './api.js';
import { credentialHeaders, readToken, showTokenForm } from './credentials.js';
import { byId, make } from './dom.js';
import { isObject, textAt } from './read-json.js';

/** The server's root: these modules lie one folder below it. */
export const ROOT = new URL('../', import.meta.url);

/** The server's document, once it is let in: where a token is asked for, the page asks for it first. */
export async function loadApi(onTokenChanged: () => void): Promise<Api | undefined> {
  const response = await window.fetch(new URL('openapi.json', ROOT), { headers: credentialHeaders() });
  const wantsToken = response.status === 401 && /^bearer/i.test(response.headers.get('WWW-Authenticate') ?? '');
  const body: unknown = await response.json();
  if (response.ok && isObject(body)) {
    const api = readApi(body);
    if (api.asks.has('token')) showAbove(showTokenForm('This server takes a token.', onTokenChanged));
    return api;
  }
  if (wantsToken) {
    showAbove(showTokenForm(readToken() === '' ? 'This server asks for a token.' : 'The server does not take this token.', onTokenChanged));
    byId('main').replaceChildren();
    return undefined;
  }
  const detail = isObject(body) ? textAt(body, 'detail') : '';
  byId('main').replaceChildren(make('p', { class: 'notice', role: 'alert' }, `The server did not say what it can do: ${detail}`));
  return undefined;
}

function showAbove(form: HTMLElement): void {
  document.querySelector('form.token')?.remove();
  byId('top').after(form);
}
