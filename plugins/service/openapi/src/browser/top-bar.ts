import { byId, make, makeButton } from './dom.js';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const PLACE = 'platen-theme';

/** Name of the page, links to the others, and the color scheme, which is stored. */
export function showTopBar(title: string, links: readonly (readonly [text: string, href: string])[]): void {
  const theme = makeButton('', { class: 'plain small', id: 'theme' }, () => {
    const next = THEMES[(THEMES.indexOf(readTheme()) + 1) % THEMES.length] ?? 'auto';
    localStorage.setItem(PLACE, next);
    applyTheme(theme);
  });
  applyTheme(theme);
  byId('top').replaceChildren(
    make(
      'h1',
      { class: 'brand' },
      make('img', { src: 'playground/icon.svg', alt: '' }),
      make('div', {}, 'Platen ', make('span', {}, title)),
    ),
    make('nav', { 'aria-label': 'Pages' }, ...links.map(([text, href]) => make('a', { href }, text)), theme),
  );
}

function readTheme(): Theme {
  const stored = localStorage.getItem(PLACE);
  return THEMES.find((theme) => theme === stored) ?? 'auto';
}

function applyTheme(button: HTMLElement): void {
  const theme = readTheme();
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  button.textContent = `Colors: ${theme}`;
}
