import { article, html, paragraphs, type ModalPage } from './page.js';

const ARTICLE = ['main', 'article p', 'header', 'footer'];

/** Ten more, written when the first ten had taught their lesson. */
export const HELD_OUT_AGAIN: readonly ModalPage[] = [
  {
    name: 'en: a card in a corner about privacy',
    html: article(
      'en',
      `<section aria-labelledby="cc" class="card" style="position:fixed;left:16px;bottom:16px;width:360px;background:#fff;border-radius:12px;box-shadow:0 2px 20px #0005;padding:20px;z-index:100"><h2 id="cc">Cookies, your choice</h2><p>Some of them keep the site running. Others tell us which pages people like. You decide about the others.</p><button class="y">Sounds good</button><button class="n">Decline optional</button><button class="p">Let me choose</button></section>
      <script>for (const [c, choice] of [['y', 'accept'], ['n', 'reject']]) document.querySelector('.' + c).onclick = () => { window.choice = choice; document.querySelector('.card').remove(); };</script>`,
    ),
    gone: ['.card'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'cs: a strip with one button',
    html: article(
      'pl',
      `<div id="lista" style="position:fixed;bottom:0;width:100%;background:#333;color:#fff;padding:10px;z-index:2147483647">Tento web používá k poskytování služeb a analýze návštěvnosti soubory cookie. <a href="/cookies">Více informací</a> <button onclick="window.choice='accept'">Souhlasím</button></div>`,
    ),
    gone: ['#lista'],
    stays: ARTICLE,
  },
  {
    name: 'fr: the end of an article is for subscribers, in the flow',
    html: html(
      'fr',
      `<header><nav><a href="/">Une</a></nav></header><main><h1>La crue</h1><article><div class="corps" style="max-height:240px;overflow:hidden;position:relative">${paragraphs('fr', 5)}<p class="fin">La digue a tenu jusqu’au matin, et personne n’a été blessé dans la vallée.</p></div><div class="barriere" style="position:relative;background:#ffe;padding:24px"><h3>La suite est réservée aux abonnés</h3><p>Il vous reste 70 % de cet article à lire.</p><a href="/offres">Voir les offres</a></div></article></main>`,
    ),
    gone: ['.barriere'],
    stays: ['main', 'article p', '.fin'],
  },
  {
    name: 'es: a newsletter that slides in from below',
    html: article(
      'es',
      `<div class="desliza" style="position:fixed;right:0;bottom:0;width:380px;background:#fff;z-index:5000;padding:20px;animation:sube .8s both"><span class="icono-cerrar" role="button" aria-label="Cerrar ventana">✕</span><h4>No te pierdas nada</h4><p>Recibe cada semana lo mejor en tu correo.</p><input type="email" placeholder="Tu correo"><button>Quiero recibirlo</button></div>
      <script>document.querySelector('.icono-cerrar').onclick = () => { window.choice = 'closed'; document.querySelector('.desliza').remove(); };</script>`,
      '<style>@keyframes sube{from{transform:translateY(110%)}}</style>',
    ),
    gone: ['.desliza'],
    stays: ARTICLE,
    choice: 'closed',
  },
  {
    name: 'ja: a picture of an offer over the page',
    html: article(
      'ja',
      `<div class="popup-layer" style="position:fixed;inset:0;background:rgba(0,0,0,.65);z-index:12000"><div style="position:absolute;left:400px;top:140px;width:480px"><img alt="初回限定クーポン" src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="480" height="360" fill="gold"/></svg>')}" width="480" height="360"><button class="toji" style="display:block">閉じる</button></div></div><script>document.querySelector('.toji').onclick = () => { window.choice = 'closed'; document.querySelector('.popup-layer').remove(); };</script>`,
    ),
    gone: ['.popup-layer'],
    stays: ARTICLE,
    choice: 'closed',
  },
  {
    name: 'de: consent in a dialog element, with the page made inert',
    html: html(
      'de',
      `<div id="seite" inert aria-hidden="true"><header><nav><a href="/">Start</a></nav></header><main><h1>Hochwasser</h1>${paragraphs('de')}</main></div><dialog open id="cm" style="position:fixed;top:100px;z-index:9999"><h1>Cookies &amp; Co.</h1><p>Damit unsere Seite gut funktioniert, setzen wir Cookies ein. Auch Partner setzen welche, wenn du es erlaubst.</p><form method="dialog"><button value="alle">Alles klar</button><button value="nix">Weiter ohne Einwilligung</button></form></dialog>`,
    ),
    gone: ['#cm'],
    stays: ['#seite', 'main', 'header'],
  },
  {
    name: 'en: a cookie clicker game',
    html: html(
      'en',
      `<div class="game" style="position:fixed;inset:0;background:#210"><h1 style="color:#fff">1,024 cookies</h1><button class="big" style="width:300px;height:300px;border-radius:50%">🍪</button><div class="store" style="position:absolute;right:0;top:0;bottom:0;width:300px;z-index:200;background:#432;color:#fff"><b>Store</b><br>We use cookies to pay for everything here.<br><button>Buy a cursor: 15 cookies</button><button>Options</button></div></div>`,
    ),
    gone: [],
    stays: ['.game', '.big', '.store'],
  },
  {
    name: 'it: a video in a lightbox',
    html: article(
      'it',
      `<div class="fancybox" role="dialog" aria-modal="true" style="position:fixed;inset:0;background:#000d;z-index:99992"><button title="Chiudi" class="fancybox-close">×</button><video controls style="position:absolute;left:200px;top:80px;width:880px;height:500px;background:#111"></video><div class="didascalia" style="position:absolute;bottom:20px;color:#fff">La piena vista dall’alto. Iscriviti al canale.</div></div>`,
    ),
    gone: [],
    stays: ['.fancybox', '.fancybox video', '.didascalia'],
  },
  {
    name: 'pt: a step of a purchase in a dialog',
    html: article(
      'pt',
      `<div style="position:fixed;inset:0;background:rgba(0,0,0,.5);z-index:1000" class="fundo"></div><div class="passo" role="dialog" aria-modal="true" style="position:fixed;left:25%;top:15%;width:50%;background:#fff;z-index:1001;padding:24px"><h2>Escolha o horário da visita</h2><button>10:00</button><button>11:30</button><button>15:00</button><p>O bilhete custa 12 €. Pode cancelar até à véspera.</p><button>Cancelar</button><button>Continuar</button></div>`,
    ),
    gone: [],
    stays: ['.passo', '.fundo', 'main'],
  },
  {
    name: 'nl: a fixed bar that plays the radio',
    html: article(
      'nl',
      `<div class="speler" style="position:fixed;bottom:0;left:0;right:0;height:72px;background:#124;color:#fff;z-index:3000"><button aria-label="Afspelen">▶</button> Nu: Het waterpeil, met meer nieuws in onze app en nieuwsbrief <button aria-label="Volgende">»</button> <button aria-label="Sluiten">×</button><audio></audio></div>`,
    ),
    gone: [],
    stays: ['.speler', 'main'],
  },
];
