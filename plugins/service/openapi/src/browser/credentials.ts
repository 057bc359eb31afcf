import { make } from './dom.js';

const PLACE = 'platen-token';

/** The token that was given in this tab; gone when the tab is closed. */
export function readToken(): string {
  return sessionStorage.getItem(PLACE) ?? '';
}

/** Headers that let a request in, where a token was given; Basic credentials are the browser's own. */
export function credentialHeaders(): Record<string, string> {
  const token = readToken();
  return token === '' ? {} : { Authorization: `Bearer ${token}` };
}

/** Asks for the token, above everything else. */
export function showTokenForm(message: string, onGiven: () => void): HTMLElement {
  const input = make('input', {
    type: 'password',
    id: 'token',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': 'token-help',
  });
  input.value = readToken();
  const form = make(
    'form',
    { class: 'token panel', 'aria-label': 'Credentials' },
    make('label', { for: 'token' }, 'Access token', input),
    make('button', { class: 'primary' }, 'Use token'),
    make('p', { class: 'help', id: 'token-help', role: 'status' }, `${message} It is kept in this tab only.`),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const token = input.value.trim();
    if (token === '') sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, token);
    onGiven();
  });
  return form;
}
