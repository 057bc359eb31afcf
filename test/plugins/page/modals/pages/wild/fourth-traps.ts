import { article, html, paragraphs, type ModalPage } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='560'><rect width='900' height='560' fill='sienna'/></svg>";

/** Nothing on these pages may go: written with the fourth modals. */
export const FOURTH_TRAPS: readonly ModalPage[] = [
  {
    name: 'en: the settings of an account, about privacy, in a dialog',
    html: article(
      'en',
      `<div class="scrim"></div><div class="settings" role="dialog" aria-modal="true"><button aria-label="Close">×</button><h2>Privacy</h2><label><input type="checkbox" checked> Show my profile to everyone</label><label><input type="checkbox"> Allow messages</label><label><input type="checkbox"> Email me a newsletter</label><button>Cancel</button><button>Save</button></div>`,
      '<style>.scrim{position:fixed;inset:0;background:#0008;z-index:90}.settings{position:fixed;left:30%;top:15%;width:40%;background:#fff;padding:24px;z-index:91}.settings label{display:block}</style>',
    ),
    gone: [],
    stays: ['.scrim', '.settings', '.settings label', 'main'],
  },
  {
    name: 'fr: a map inside an article, not shown before it may set cookies',
    html: article(
      'fr',
      '',
      '<style>.carte{position:relative;height:420px;background:#ccd}.carte .ok{position:absolute;inset:0;z-index:3;background:rgba(0,0,0,.6);color:#fff;padding:60px}</style>',
    ).replace(
      '<article>',
      `<article><div class="carte"><div class="ok"><p>Cette carte utilise des cookies d’un fournisseur. Acceptez-les pour l’afficher.</p><button>Accepter et afficher</button> <button>Personnaliser</button></div></div>`,
    ),
    gone: [],
    stays: ['.carte', '.ok', 'main'],
  },
  {
    name: 'en: a friend calls, in a corner',
    html: article(
      'en',
      `<div class="call"><b>Anna</b><p>Incoming video call</p><button class="no">Decline</button><button class="yes">Accept</button></div>`,
      '<style>.call{position:fixed;right:20px;bottom:20px;width:280px;background:#222;color:#fff;padding:20px;z-index:99999}</style>',
    ),
    gone: [],
    stays: ['.call', '.call button', 'main'],
  },
  {
    name: 'de: filters of a search for flats, a sheet',
    html: article(
      'de',
      `<div class="abdunkeln"></div><div class="blatt" role="dialog"><h2>Suche verfeinern</h2><label>Miete bis <input type="range"></label><label><input type="radio" name="z"> 2 Zimmer</label><label><input type="radio" name="z"> 3 Zimmer</label><button>Alle ablehnen</button><button>142 Treffer anzeigen</button></div>`,
      '<style>.abdunkeln{position:fixed;inset:0;background:#0007;z-index:200}.blatt{position:fixed;left:0;right:0;bottom:0;background:#fff;padding:24px;z-index:201}</style>',
    ),
    gone: [],
    stays: ['.abdunkeln', '.blatt', '.blatt label', 'main'],
  },
  {
    name: 'en: a story told while one scrolls, its text upon pictures',
    html: html(
      'en',
      `<div class="scrolly"><div class="graphic"><img src="${PICTURE}" alt=""></div><div class="step"><p>Subscribe to nothing, said the river, and rose.</p></div></div><main>${paragraphs('en', 12)}</main>`,
      '<style>.graphic{position:sticky;top:0;height:100vh}.graphic img{width:100%;height:100%}.step{position:absolute;left:30%;top:40%;background:#fff;padding:16px;z-index:120;width:300px}</style>',
    ),
    gone: [],
    stays: ['.graphic', '.graphic img', '.step', 'main'],
  },
  {
    name: 'es: what a store has, at the foot: colour, size and the basket',
    html: article(
      'es',
      `<div class="compra"><img src="${PICTURE}" width="40" height="40" alt=""><span>Botas de agua · 39,90 € · -20%</span><select><option>38</option></select><button>Añadir</button><button aria-label="Cerrar">×</button></div>`,
      '<style>.compra{position:fixed;left:0;right:0;bottom:0;background:#fff;padding:10px;z-index:9999;display:flex;gap:12px;box-shadow:0 -2px 6px #0003}</style>',
    ),
    gone: [],
    stays: ['.compra', '.compra button', 'main'],
  },
  {
    name: 'en: the first step of a tour through an app',
    html: html(
      'en',
      `<div class="bar">Boards</div><main>${paragraphs('en', 12)}</main><div class="coach" role="dialog"><p>This is your board. Drag cards here to plan your week.</p><span>1 of 4</span><button>Skip tour</button><button>Next</button></div>`,
      '<style>.bar{position:fixed;top:0;left:0;right:0;height:40px;background:#eee}.coach{position:absolute;left:240px;top:60px;width:280px;background:#224;color:#fff;padding:16px;z-index:1060}</style>',
    ),
    gone: [],
    stays: ['.bar', '.coach', 'main'],
  },
  {
    name: 'ja: a form to log in, in a dialog that the visitor opened',
    html: article(
      'ja',
      `<dialog id="login"><h2>ログイン</h2><form method="dialog"><input type="email" placeholder="メールアドレス"><input type="password" placeholder="パスワード"><button>ログイン</button></form><button aria-label="閉じる">×</button></dialog><script>document.getElementById('login').showModal()</script>`,
    ),
    gone: [],
    stays: ['#login', '#login form', 'main'],
  },
  {
    name: 'it: a ticket that is sold, its time running, at the head',
    html: article(
      'it',
      `<div class="tempo">Il tuo posto è riservato per <b>09:58</b>. Prenotazione 4411, 2 biglietti, 24 €. <button>Annulla</button> <button>Paga</button></div>`,
      '<style>.tempo{position:fixed;top:0;left:0;right:0;background:#fd6;padding:12px;z-index:5000}</style>',
    ),
    gone: [],
    stays: ['.tempo', 'main'],
  },
  {
    name: 'pt: a film in a frame of another host, over the page',
    html: article(
      'pt',
      `<div class="caixa"><button aria-label="Fechar">×</button><iframe class="filme" title="A cheia, vídeo" src="{other}/frame" allowfullscreen></iframe></div>`,
      '<style>.caixa{position:fixed;inset:0;background:rgba(0,0,0,.85);z-index:8000}.filme{position:absolute;left:15%;top:10%;width:70%;height:70%;border:0}</style>',
    ),
    frame: html('pt', '<video controls width="600" height="300"></video><p>Assine o canal e receba notificações</p>'),
    gone: [],
    stays: ['.caixa', '.filme', 'main'],
  },
];
