import { article, html, paragraphs, type ModalPage } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='560'><rect width='900' height='560' fill='peru'/></svg>";

/** Nothing on these pages may go: written with the second modals. */
export const SECOND_TRAPS: readonly ModalPage[] = [
  {
    name: 'de: a law about consent, explained, with its contents at the side',
    html: html(
      'de',
      `<div class="inhalt"><a href="#1">Einwilligung</a><a href="#2">Cookies</a><a href="#3">Ablehnen</a><a href="#4">Akzeptieren</a></div><main><h1>Was die Einwilligung in Cookies bedeutet</h1>${'<p>Webseiten verwenden Cookies, und der Nutzer muss alle ablehnen können, so leicht wie er sie akzeptiert.</p>'.repeat(14)}</main>`,
      '<style>.inhalt{position:fixed;left:0;top:80px;width:200px;background:#fafafa;z-index:10}.inhalt a{display:block}main{margin-left:240px!important}</style>',
    ),
    gone: [],
    stays: ['.inhalt', '.inhalt a', 'main'],
  },
  {
    name: 'en: the search of a manual, opened over it',
    html: article(
      'en',
      `<div class="DocSearch DocSearch-Container" role="button" tabindex="0"><div class="DocSearch-Modal"><header class="DocSearch-SearchBar"><form class="DocSearch-Form"><input class="DocSearch-Input" placeholder="Search docs" type="text"></form><button class="DocSearch-Cancel" type="reset">Cancel</button></header><div class="DocSearch-Dropdown"><p>Recent</p><ul><li><a href="/install">Install the app</a></li><li><a href="/notify">Enable notifications</a></li><li><a href="/consent">Cookie consent</a></li></ul></div></div></div><script>document.body.classList.add('DocSearch--active'); document.body.style.overflow = 'hidden'</script>`,
      '<style>.DocSearch-Container{position:fixed;inset:0;background:rgba(101,108,133,.8);z-index:200}.DocSearch-Modal{margin:60px auto;width:560px;background:#f5f6f7;padding:12px}</style>',
    ),
    gone: [],
    stays: ['.DocSearch-Container', '.DocSearch-Modal', '.DocSearch-Dropdown li', 'main'],
  },
  {
    name: 'es: of age, for wine',
    html: article(
      'es',
      `<div id="edad"><div class="caja"><img alt="Bodega" src="${PICTURE}" width="120" height="80"><h2>¿Tienes la edad legal para beber alcohol en tu país?</h2><a href="#si" class="boton">Sí, la tengo</a><a href="https://example.com/" class="boton">No</a><small>Al entrar aceptas nuestra política de cookies.</small></div></div>`,
      '<style>#edad{position:fixed;inset:0;background:rgba(60,0,20,.96);z-index:100000;display:flex;align-items:center;justify-content:center}.caja{background:#fff;padding:40px;text-align:center}.boton{display:inline-block;padding:8px 24px;border:1px solid}</style>',
    ),
    gone: [],
    stays: ['#edad', '.caja', 'main'],
  },
  {
    name: 'fr: a page to subscribe to a letter, and nothing else',
    html: html(
      'fr',
      `<div class="fond"></div><div class="carte" style="position:fixed;left:30%;top:18%;width:40%;background:#fff;padding:32px;z-index:5"><h1>La lettre du fleuve</h1><p>Chaque vendredi, une histoire d’eau. Inscrivez-vous à la newsletter : c’est gratuit.</p><form><input type="email" placeholder="Votre adresse e-mail"><button>Je m’inscris</button></form><p>Déjà 4 000 lecteurs.</p></div>`,
      '<style>.fond{position:fixed;inset:0;background:rgba(0,60,90,.6)}</style>',
    ),
    gone: [],
    stays: ['.fond', '.carte', '.carte form'],
  },
  {
    name: 'sv: days of a journey, chosen in a popover',
    html: article(
      'sv',
      `<div popover="manual" id="datum" aria-label="Välj datum"><button aria-label="Föregående månad">‹</button> november <button aria-label="Nästa månad">›</button><table>${`<tr>${'<td><button>7</button></td>'.repeat(7)}</tr>`.repeat(5)}</table><button class="klar">Klar</button><button aria-label="Stäng">×</button></div><script>document.getElementById('datum').showPopover()</script>`,
    ),
    gone: [],
    stays: ['#datum', '#datum td', 'main'],
  },
  {
    name: 'en: an office suite, with a comment and a toolbar floating',
    html: html(
      'en',
      `<div id="app"><div class="topbar">Report — saved <button>Share</button><button>File</button></div><div class="floating-toolbar" role="toolbar"><button>B</button><button>I</button><button aria-label="Close">×</button></div><div class="comment"><b>Maria</b> <span>2 min</span><p>Do we accept the new terms? I would decline.</p><button>Reply</button> <button>Resolve</button></div><main class="sheet">${paragraphs('en', 10)}</main></div>`,
      '<style>.topbar{position:fixed;top:0;left:0;right:0;height:44px;background:#fff;z-index:1200}.floating-toolbar{position:fixed;left:40%;top:60px;background:#fff;z-index:1201;box-shadow:0 1px 5px #0006}.comment{position:absolute;right:12px;top:160px;width:240px;background:#fff8c6;padding:12px;z-index:1100}.sheet{margin-top:90px!important}</style>',
    ),
    gone: [],
    stays: ['.topbar', '.floating-toolbar', '.comment', 'main'],
  },
  {
    name: 'pl: radio at the foot of the page, with what is played',
    html: article(
      'pl',
      `<div id="odtwarzacz"><img src="${PICTURE}" width="48" height="48" alt=""><button aria-label="Odtwarzaj">▶</button><span>Na żywo: Poranek nad rzeką</span><button aria-label="Głośność">♪</button><button aria-label="Zamknij">×</button><a href="/app">Słuchaj w aplikacji</a></div>`,
      '<style>#odtwarzacz{position:fixed;left:0;right:0;bottom:0;height:64px;background:#111;color:#fff;z-index:9000;display:flex;gap:16px;align-items:center}</style>',
    ),
    gone: [],
    stays: ['#odtwarzacz', 'main'],
  },
  {
    name: 'ja: what was ordered, said in a corner',
    html: article(
      'ja',
      `<div class="Toastify"><div class="toast" role="alert"><span>カートに追加しました：長靴 (25cm) ¥3,980 10%OFF</span><button aria-label="閉じる">✕</button><a href="/cart">カートを見る</a></div></div>`,
      '<style>.toast{position:fixed;top:16px;right:16px;width:320px;background:#fff;padding:14px;z-index:9999;box-shadow:0 2px 12px #0004}</style>',
    ),
    gone: [],
    stays: ['.toast', 'main'],
  },
  {
    name: 'it: a warning of the weather, fixed at the head',
    html: article(
      'it',
      `<div class="allerta"><strong>Allerta rossa</strong> Scuole chiuse venerdì in tutta la provincia. <a href="/allerta">Leggi le istruzioni</a><button aria-label="Chiudi avviso">×</button></div>`,
      '<style>.allerta{position:fixed;top:0;left:0;right:0;background:#b00020;color:#fff;padding:12px;z-index:3000}</style>',
    ),
    gone: [],
    stays: ['.allerta', 'main'],
  },
  {
    name: 'ru: a check that the visitor is no machine',
    html: html(
      'ru',
      `<div class="shade"></div><div class="captcha" role="dialog"><h2>Подтвердите, что вы не робот</h2><p>Мы заметили необычный трафик. Нажмите, чтобы продолжить.</p><label><input type="checkbox"> Я не робот</label><p>Обработка персональных данных: <a href="/privacy">политика</a></p></div>`,
      '<style>.shade{position:fixed;inset:0;background:#eee}.captcha{position:fixed;left:35%;top:30%;width:30%;background:#fff;padding:24px}</style>',
    ),
    gone: [],
    stays: ['.shade', '.captcha'],
  },
  {
    name: 'tr: which language and which money, chosen by the visitor',
    html: article(
      'tr',
      `<div class="ortu"></div><div class="secici" role="dialog" aria-modal="true" aria-label="Dil ve para birimi"><button aria-label="Kapat">×</button><h2>Dil</h2><ul>${['Türkçe', 'English', 'Deutsch', 'Français', 'العربية', '日本語'].map((name) => `<li><button>${name}</button></li>`).join('')}</ul><h2>Para birimi</h2><ul><li><button>₺ TRY</button></li><li><button>€ EUR</button></li></ul></div>`,
      '<style>.ortu{position:fixed;inset:0;background:#0008;z-index:400}.secici{position:fixed;left:30%;top:10%;width:40%;background:#fff;padding:20px;z-index:401}</style>',
    ),
    gone: [],
    stays: ['.ortu', '.secici', '.secici li', 'main'],
  },
  {
    name: 'nl: slides that fill the window',
    html: html(
      'nl',
      `<div class="reveal"><div class="slides"><section class="nu"><h2>Cookies en toestemming</h2><p>Wij gebruiken cookies. Accepteren of weigeren?</p><ul><li>Wet van 2012</li><li>Toezicht</li></ul></section></div><div class="controls"><button aria-label="vorige">‹</button><button aria-label="volgende">›</button></div><div class="progress"></div></div>`,
      '<style>.reveal{position:fixed;inset:0;background:#fff;overflow:hidden}.slides{position:absolute;inset:10%;z-index:1}.controls{position:absolute;right:12px;bottom:12px;z-index:11}html,body{overflow:hidden;height:100%}</style>',
    ),
    gone: [],
    stays: ['.reveal', '.nu', '.controls'],
  },
  {
    name: 'pt: a recipe cut short, with a button to see it all',
    html: article(
      'pt',
      `<section class="dicas"><div class="texto">${paragraphs('pt', 3)}</div><div class="mais"><button>Ler mais</button></div></section>`,
      '<style>.texto{max-height:90px;overflow:hidden;-webkit-mask-image:linear-gradient(#000,transparent)}</style>',
    ),
    gone: [],
    stays: ['.mais', '.mais button', 'main'],
  },
  {
    name: 'hu: a photograph of a product, enlarged, with its price',
    html: article(
      'hu',
      `<div class="nagyito"><div class="hatter"></div><div class="kep"><img src="${PICTURE}" width="700" height="440" alt="Gumicsizma"><p>Gumicsizma, 12 990 Ft, most 20% kedvezmény</p><button aria-label="Bezárás">×</button><button>Kosárba</button></div></div>`,
      '<style>.hatter{position:fixed;inset:0;background:rgba(0,0,0,.7);z-index:1000}.kep{position:fixed;left:20%;top:8%;width:60%;background:#fff;z-index:1001;text-align:center}</style>',
    ),
    gone: [],
    stays: ['.hatter', '.kep', '.kep img', 'main'],
  },
];
