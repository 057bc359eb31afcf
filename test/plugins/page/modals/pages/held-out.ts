import { article, html, paragraphs, type ModalPage } from './page.js';

const ARTICLE = ['main', 'article p', 'header', 'footer'];
const TILE = '<div style="display:inline-block;width:200px;height:260px;background:teal;margin:8px"></div>';

/** Pages that were written when the heuristics were done, to see what they are worth elsewhere. */
export const HELD_OUT: readonly ModalPage[] = [
  {
    name: 'sv: a bar that sticks to the foot',
    html: article(
      'sv',
      `${paragraphs('da', 6)}<div class="kakor" style="position:sticky;bottom:0;background:#024;color:#fff;padding:14px">Vi använder kakor för att webbplatsen ska fungera bra för dig. <button class="nej">Endast nödvändiga kakor</button> <button class="ja">Jag godkänner</button></div>
      <script>for (const [c, choice] of [['nej', 'reject'], ['ja', 'accept']]) document.querySelector('.' + c).onclick = () => { window.choice = choice; document.querySelector('.kakor').remove(); };</script>`,
    ).replace('<article>', `<article>${paragraphs('da')}`),
    gone: ['.kakor'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'de: a small question in a corner',
    html: article(
      'de',
      `<div class="befragung" style="position:fixed;right:24px;bottom:24px;width:300px;background:#fff;border:1px solid #999;padding:16px;z-index:4000"><b>Hast du kurz Zeit?</b><p>Hilf uns, diese Seite besser zu machen: drei Fragen, eine Minute.</p><button>Ja, gerne</button> <button class="weg">Nein</button></div>`,
    ),
    gone: ['.befragung'],
    stays: ARTICLE,
  },
  {
    name: 'en: an invitation to join, over a wall of pictures',
    html: html(
      'en',
      `<header><nav><a href="/">Explore</a></nav></header><main>${TILE.repeat(24)}<p class="text">Ideas for small kitchens, collected by people who cook. ${'Shelves, hooks, racks and rails. '.repeat(12)}</p></main>
      <div data-test-id="giftWrap"><div class="scrim" style="position:fixed;inset:0;background:rgb(0 0 0 / 60%);z-index:800"></div><div class="signup" style="position:fixed;left:50%;top:50%;transform:translate(-50%,-50%);width:420px;background:#fff;border-radius:32px;z-index:801;padding:24px"><h2>Welcome</h2><p>Log in to see more</p><form><input type="email" placeholder="Email"><input type="password" placeholder="Password"><button>Log in</button></form><small>By continuing, you agree to our Terms of Service.</small></div></div><script>document.body.style.overflowY = 'hidden'</script>`,
    ),
    gone: ['.signup', '.scrim'],
    stays: ['main', '.text', 'header'],
    scrolls: true,
  },
  {
    name: 'fr: an advertisement between the visitor and the page',
    html: article(
      'fr',
      `<div class="interstitiel" style="position:fixed;inset:0;background:#fff;z-index:99999"><div style="text-align:right"><button class="passer">Accéder au site ›</button></div><p style="text-align:center">Publicité</p><iframe srcdoc="<body style='background:orange'>ACME</body>" style="display:block;margin:auto;width:640px;height:360px;border:0"></iframe></div>`,
    ),
    gone: ['.interstitiel'],
    stays: ARTICLE,
  },
  {
    name: 'it: an offer to who wants to leave, without any role',
    html: article(
      'it',
      `<div class="fixed-layer" style="position:fixed;inset:0;display:flex;align-items:center;justify-content:center;background:rgb(17 24 39 / .6);z-index:50"><div style="background:#fff;width:440px;padding:32px"><p style="font-size:24px">Aspetta! Ecco uno sconto del 15% per te</p><input placeholder="La tua email"><a class="btn" href="/sconto">Ottieni lo sconto</a><div class="rinuncia" onclick="window.choice='no';document.querySelector('.fixed-layer').remove()">No, preferisco pagare di più</div></div></div>`,
    ),
    gone: ['.fixed-layer'],
    stays: ARTICLE,
  },
  {
    name: 'es: consent or a subscription',
    html: article(
      'es',
      `<div class="muro" style="position:fixed;inset:0;background:rgba(0,0,0,.75);z-index:70000"><div style="margin:80px auto;width:560px;background:#fff;padding:28px"><h2>Tu privacidad es importante</h2><p>Con tu permiso, 842 socios y nosotros tratamos datos como tu dirección IP y los identificadores de las cookies.</p><button class="si">Aceptar y continuar gratis</button><button class="no" onclick="location.href='/frame'">Rechazar y suscribirse</button></div></div>`,
    ),
    gone: ['.muro'],
    stays: ARTICLE,
  },
  {
    name: 'en: a page that shows what a consent banner looks like',
    html: html(
      'en',
      `<header><nav><a href="/">Guide</a></nav></header><main><h1>Writing a consent banner</h1>${paragraphs('en', 4)}<div class="example" style="border:1px dashed #999;padding:16px"><p>We use cookies to improve your experience.</p><button>Reject all</button> <button>Accept all</button></div>${paragraphs('en', 4)}</main>`,
    ),
    gone: [],
    stays: ['.example', 'main', 'header'],
  },
  {
    name: 'nl: the filters of a shop',
    html: article(
      'nl',
      `<div class="waas" style="position:fixed;inset:0;background:rgba(0,0,0,.3);z-index:300"></div><div class="filters" style="position:fixed;left:0;top:0;bottom:0;width:300px;background:#fff;z-index:301;padding:16px"><button class="sluit" aria-label="Sluiten">×</button><h3>Filters</h3><label><input type="checkbox"> In de aanbieding, tot 20% korting</label><label><input type="checkbox"> Waterdicht</label><button>Toon 48 laarzen</button></div>`,
    ),
    gone: [],
    stays: ['.filters', '.filters label', '.waas', 'main'],
  },
  {
    name: 'en: a form in an application',
    html: html(
      'en',
      `<div class="side" style="position:fixed;left:0;top:0;bottom:0;width:220px;background:#402;color:#fff">general<br>random<br>floods</div><main style="margin-left:240px">${paragraphs('en', 12)}</main><div class="ReactModal__Overlay" style="position:fixed;inset:0;background:rgba(0,0,0,.5);z-index:1000"><div class="ReactModal__Content" role="dialog" aria-modal="true" style="margin:120px auto;width:480px;background:#fff;padding:24px"><h2>Create a channel</h2><label>Name <input value="harvest"></label><p>Channels are where your team communicates.</p><button>Cancel</button><button>Create</button></div></div>`,
    ),
    gone: [],
    stays: ['.side', 'main', '.ReactModal__Content', '.ReactModal__Overlay'],
  },
  {
    name: 'pl: a word about the basket',
    html: article(
      'pl',
      `<div class="toast" role="status" style="position:fixed;right:16px;top:16px;background:#dfd;z-index:10000;padding:12px">Dodano do koszyka: kalosze, rozmiar 38. Taniej o 20% przy dwóch parach. <a href="/koszyk">Do koszyka</a> <button class="close" aria-label="Zamknij">×</button></div>`,
    ),
    gone: [],
    stays: ['.toast', 'main'],
  },
];
