import { make } from './dom.js';

const PLACE = 'platen-token';

/** The token entered in this tab; stored until the tab is closed. */
export function readToken(): string {
  return sessionStorage.getItem(PLACE) ?? '';
}

/** Headers with the entered token; the browser handles Basic credentials. */
export function credentialHeaders(): Record<string, string> {
  const token = readToken();
  return token === '' ? {} : { Authorization: `Bearer ${token}` };
}

/** Shows the token form at the top of the page. */
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
    make('p', { class: 'help', id: 'token-help', role: 'status' }, `${message} It is stored in this tab only.`),
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
