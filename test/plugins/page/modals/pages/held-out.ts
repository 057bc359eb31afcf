import { buildPages, paragraphs } from './page.js';

const TILE = '<div style="display:inline-block;width:200px;height:260px;background:teal;margin:8px"></div>';

/** Pages that were written when the heuristics were done, to see what they are worth elsewhere. */
export const HELD_OUT = buildPages([
  {
    name: 'sv: a bar that sticks to the foot',
    over: `${paragraphs('da', 6)}<div class="kakor" style="position:sticky;bottom:0;background:#024;color:#fff;padding:14px">Vi använder kakor för att webbplatsen ska fungera bra för dig. <button class="nej">Endast nödvändiga kakor</button> <button class="ja">Jag godkänner</button></div>
      <script>for (const [c, choice] of [['nej', 'reject'], ['ja', 'accept']]) document.querySelector('.' + c).onclick = () => { window.choice = choice; document.querySelector('.kakor').remove(); };</script>`,
    replaces: '<article>',
    by: `<article>${paragraphs('da')}`,
    gone: ['.kakor'],
    choice: 'reject',
  },
  {
    name: 'de: a small question in a corner',
    over: `<div class="befragung" style="position:fixed;right:24px;bottom:24px;width:300px;background:#fff;border:1px solid #999;padding:16px;z-index:4000"><b>Hast du kurz Zeit?</b><p>Hilf uns, diese Seite besser zu machen: drei Fragen, eine Minute.</p><button>Ja, gerne</button> <button class="weg">Nein</button></div>`,
    gone: ['.befragung'],
  },
  {
    name: 'en: an invitation to join, over a wall of pictures',
    body: `<header><nav><a href="/">Explore</a></nav></header><main>${TILE.repeat(24)}<p class="text">Ideas for small kitchens, collected by people who cook. ${'Shelves, hooks, racks and rails. '.repeat(12)}</p></main>
      <div data-test-id="giftWrap"><div class="scrim" style="position:fixed;inset:0;background:rgb(0 0 0 / 60%);z-index:800"></div><div class="signup" style="position:fixed;left:50%;top:50%;transform:translate(-50%,-50%);width:420px;background:#fff;border-radius:32px;z-index:801;padding:24px"><h2>Welcome</h2><p>Log in to see more</p><form><input type="email" placeholder="Email"><input type="password" placeholder="Password"><button>Log in</button></form><small>By continuing, you agree to our Terms of Service.</small></div></div><script>document.body.style.overflowY = 'hidden'</script>`,
    gone: ['.signup', '.scrim'],
    stays: ['main', '.text', 'header'],
    scrolls: true,
  },
  {
    name: 'fr: an advertisement between the visitor and the page',
    over: `<div class="interstitiel" style="position:fixed;inset:0;background:#fff;z-index:99999"><div style="text-align:right"><button class="passer">Accéder au site ›</button></div><p style="text-align:center">Publicité</p><iframe srcdoc="<body style='background:orange'>ACME</body>" style="display:block;margin:auto;width:640px;height:360px;border:0"></iframe></div>`,
    gone: ['.interstitiel'],
  },
  {
    name: 'it: an offer to who wants to leave, without any role',
    over: `<div class="fixed-layer" style="position:fixed;inset:0;display:flex;align-items:center;justify-content:center;background:rgb(17 24 39 / .6);z-index:50"><div style="background:#fff;width:440px;padding:32px"><p style="font-size:24px">Aspetta! Ecco uno sconto del 15% per te</p><input placeholder="La tua email"><a class="btn" href="/sconto">Ottieni lo sconto</a><div class="rinuncia" onclick="window.choice='no';document.querySelector('.fixed-layer').remove()">No, preferisco pagare di più</div></div></div>`,
    gone: ['.fixed-layer'],
  },
  {
    name: 'es: consent or a subscription',
    over: `<div class="muro" style="position:fixed;inset:0;background:rgba(0,0,0,.75);z-index:70000"><div style="margin:80px auto;width:560px;background:#fff;padding:28px"><h2>Tu privacidad es importante</h2><p>Con tu permiso, 842 socios y nosotros tratamos datos como tu dirección IP y los identificadores de las cookies.</p><button class="si">Aceptar y continuar gratis</button><button class="no" onclick="location.href='/frame'">Rechazar y suscribirse</button></div></div>`,
    gone: ['.muro'],
  },
  {
    name: 'en: a page that shows what a consent banner looks like',
    body: `<header><nav><a href="/">Guide</a></nav></header><main><h1>Writing a consent banner</h1>${paragraphs('en', 4)}<div class="example" style="border:1px dashed #999;padding:16px"><p>We use cookies to improve your experience.</p><button>Reject all</button> <button>Accept all</button></div>${paragraphs('en', 4)}</main>`,
    stays: ['.example', 'main', 'header'],
  },
  {
    name: 'nl: the filters of a shop',
    over: `<div class="waas" style="position:fixed;inset:0;background:rgba(0,0,0,.3);z-index:300"></div><div class="filters" style="position:fixed;left:0;top:0;bottom:0;width:300px;background:#fff;z-index:301;padding:16px"><button class="sluit" aria-label="Sluiten">×</button><h3>Filters</h3><label><input type="checkbox"> In de aanbieding, tot 20% korting</label><label><input type="checkbox"> Waterdicht</label><button>Toon 48 laarzen</button></div>`,
    stays: ['.filters', '.filters label', '.waas', 'main'],
  },
  {
    name: 'en: a form in an application',
    body: `<div class="side" style="position:fixed;left:0;top:0;bottom:0;width:220px;background:#402;color:#fff">general<br>random<br>floods</div><main style="margin-left:240px">${paragraphs('en', 12)}</main><div class="ReactModal__Overlay" style="position:fixed;inset:0;background:rgba(0,0,0,.5);z-index:1000"><div class="ReactModal__Content" role="dialog" aria-modal="true" style="margin:120px auto;width:480px;background:#fff;padding:24px"><h2>Create a channel</h2><label>Name <input value="harvest"></label><p>Channels are where your team communicates.</p><button>Cancel</button><button>Create</button></div></div>`,
    stays: ['.side', 'main', '.ReactModal__Content', '.ReactModal__Overlay'],
  },
  {
    name: 'pl: a word about the basket',
    over: `<div class="toast" role="status" style="position:fixed;right:16px;top:16px;background:#dfd;z-index:10000;padding:12px">Dodano do koszyka: kalosze, rozmiar 38. Taniej o 20% przy dwóch parach. <a href="/koszyk">Do koszyka</a> <button class="close" aria-label="Zamknij">×</button></div>`,
    stays: ['.toast', 'main'],
  },
]);

/** Ten more, written when the first ten had taught their lesson. */
export const HELD_OUT_AGAIN = buildPages([
  {
    name: 'en: a card in a corner about privacy',
    over: `<section aria-labelledby="cc" class="card" style="position:fixed;left:16px;bottom:16px;width:360px;background:#fff;border-radius:12px;box-shadow:0 2px 20px #0005;padding:20px;z-index:100"><h2 id="cc">Cookies, your choice</h2><p>Some of them keep the site running. Others tell us which pages people like. You decide about the others.</p><button class="y">Sounds good</button><button class="n">Decline optional</button><button class="p">Let me choose</button></section>
      <script>for (const [c, choice] of [['y', 'accept'], ['n', 'reject']]) document.querySelector('.' + c).onclick = () => { window.choice = choice; document.querySelector('.card').remove(); };</script>`,
    gone: ['.card'],
    choice: 'reject',
  },
  {
    name: 'cs: a strip with one button',
    lang: 'pl',
    over: `<div id="lista" style="position:fixed;bottom:0;width:100%;background:#333;color:#fff;padding:10px;z-index:2147483647">Tento web používá k poskytování služeb a analýze návštěvnosti soubory cookie. <a href="/cookies">Více informací</a> <button onclick="window.choice='accept'">Souhlasím</button></div>`,
    gone: ['#lista'],
  },
  {
    name: 'fr: the end of an article is for subscribers, in the flow',
    body: `<header><nav><a href="/">Une</a></nav></header><main><h1>La crue</h1><article><div class="corps" style="max-height:240px;overflow:hidden;position:relative">${paragraphs('fr', 5)}<p class="fin">La digue a tenu jusqu’au matin, et personne n’a été blessé dans la vallée.</p></div><div class="barriere" style="position:relative;background:#ffe;padding:24px"><h3>La suite est réservée aux abonnés</h3><p>Il vous reste 70 % de cet article à lire.</p><a href="/offres">Voir les offres</a></div></article></main>`,
    gone: ['.barriere'],
    stays: ['main', 'article p', '.fin'],
  },
  {
    name: 'es: a newsletter that slides in from below',
    over: `<div class="desliza" style="position:fixed;right:0;bottom:0;width:380px;background:#fff;z-index:5000;padding:20px;animation:sube .8s both"><span class="icono-cerrar" role="button" aria-label="Cerrar ventana">✕</span><h4>No te pierdas nada</h4><p>Recibe cada semana lo mejor en tu correo.</p><input type="email" placeholder="Tu correo"><button>Quiero recibirlo</button></div>
      <script>document.querySelector('.icono-cerrar').onclick = () => { window.choice = 'closed'; document.querySelector('.desliza').remove(); };</script>`,
    head: '<style>@keyframes sube{from{transform:translateY(110%)}}</style>',
    gone: ['.desliza'],
    choice: 'closed',
  },
  {
    name: 'ja: a picture of an offer over the page',
    over: `<div class="popup-layer" style="position:fixed;inset:0;background:rgba(0,0,0,.65);z-index:12000"><div style="position:absolute;left:400px;top:140px;width:480px"><img alt="初回限定クーポン" src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="480" height="360" fill="gold"/></svg>')}" width="480" height="360"><button class="toji" style="display:block">閉じる</button></div></div><script>document.querySelector('.toji').onclick = () => { window.choice = 'closed'; document.querySelector('.popup-layer').remove(); };</script>`,
    gone: ['.popup-layer'],
    choice: 'closed',
  },
  {
    name: 'de: consent in a dialog element, with the page made inert',
    body: `<div id="seite" inert aria-hidden="true"><header><nav><a href="/">Start</a></nav></header><main><h1>Hochwasser</h1>${paragraphs('de')}</main></div><dialog open id="cm" style="position:fixed;top:100px;z-index:9999"><h1>Cookies &amp; Co.</h1><p>Damit unsere Seite gut funktioniert, setzen wir Cookies ein. Auch Partner setzen welche, wenn du es erlaubst.</p><form method="dialog"><button value="alle">Alles klar</button><button value="nix">Weiter ohne Einwilligung</button></form></dialog>`,
    gone: ['#cm'],
    stays: ['#seite', 'main', 'header'],
  },
  {
    name: 'en: a cookie clicker game',
    body: `<div class="game" style="position:fixed;inset:0;background:#210"><h1 style="color:#fff">1,024 cookies</h1><button class="big" style="width:300px;height:300px;border-radius:50%">🍪</button><div class="store" style="position:absolute;right:0;top:0;bottom:0;width:300px;z-index:200;background:#432;color:#fff"><b>Store</b><br>We use cookies to pay for everything here.<br><button>Buy a cursor: 15 cookies</button><button>Options</button></div></div>`,
    stays: ['.game', '.big', '.store'],
  },
  {
    name: 'it: a video in a lightbox',
    over: `<div class="fancybox" role="dialog" aria-modal="true" style="position:fixed;inset:0;background:#000d;z-index:99992"><button title="Chiudi" class="fancybox-close">×</button><video controls style="position:absolute;left:200px;top:80px;width:880px;height:500px;background:#111"></video><div class="didascalia" style="position:absolute;bottom:20px;color:#fff">La piena vista dall’alto. Iscriviti al canale.</div></div>`,
    stays: ['.fancybox', '.fancybox video', '.didascalia'],
  },
  {
    name: 'pt: a step of a purchase in a dialog',
    over: `<div style="position:fixed;inset:0;background:rgba(0,0,0,.5);z-index:1000" class="fundo"></div><div class="passo" role="dialog" aria-modal="true" style="position:fixed;left:25%;top:15%;width:50%;background:#fff;z-index:1001;padding:24px"><h2>Escolha o horário da visita</h2><button>10:00</button><button>11:30</button><button>15:00</button><p>O bilhete custa 12 €. Pode cancelar até à véspera.</p><button>Cancelar</button><button>Continuar</button></div>`,
    stays: ['.passo', '.fundo', 'main'],
  },
  {
    name: 'nl: a fixed bar that plays the radio',
    over: `<div class="speler" style="position:fixed;bottom:0;left:0;right:0;height:72px;background:#124;color:#fff;z-index:3000"><button aria-label="Afspelen">▶</button> Nu: Het waterpeil, met meer nieuws in onze app en nieuwsbrief <button aria-label="Volgende">»</button> <button aria-label="Sluiten">×</button><audio></audio></div>`,
    stays: ['.speler', 'main'],
  },
]);

/** The last ten: as publishers' own tools write them, from memory. */
export const HELD_OUT_LAST = buildPages([
  {
    name: 'de: a plugin of a content system, with boxes to tick',
    over: `<div id="BorlabsCookieBox" class="BorlabsCookie" role="dialog" aria-modal="true" style="position:fixed;inset:0;background:rgba(0,0,0,.4);z-index:999999"><div class="_brlbs-box" style="margin:100px auto;width:640px;background:#fff;padding:30px"><p class="h3">Datenschutzeinstellungen</p><p>Wir benötigen Ihre Zustimmung, bevor Sie unsere Website weiter besuchen können.</p><label><input type="checkbox" checked disabled> Essenziell</label><label><input type="checkbox"> Statistiken</label><label><input type="checkbox"> Externe Medien</label><p><a role="button" href="#" class="alle">Alle akzeptieren</a> <a role="button" href="#" class="wahl">Speichern</a> <a role="button" href="#" class="nur">Nur essenzielle Cookies akzeptieren</a></p></div></div>
      <script>for (const [c, choice] of [['alle', 'accept'], ['wahl', 'save'], ['nur', 'reject']]) document.querySelector('.' + c).onclick = () => { window.choice = choice; document.querySelector('#BorlabsCookieBox').remove(); };</script>`,
    gone: ['#BorlabsCookieBox', '._brlbs-box'],
    choice: 'reject',
  },
  {
    name: 'en: a pop-up of a mailing service, in a frame',
    over: `<div id="PopupSignupForm_0"><div class="mc-layout" style="position:fixed;inset:0;z-index:2147483640"><div class="mc-bg" style="position:absolute;inset:0;background:rgba(0,0,0,.5)"></div><iframe class="mc-frame" srcdoc="<!doctype html><html lang='en'><body style='background:#fff'><h2>Stay in touch</h2><p>Monthly notes, no spam.</p><form><input type='email' placeholder='Email address'><button>Subscribe</button></form></body></html>" style="position:absolute;left:30%;top:20%;width:40%;height:300px;border:0"></iframe><div class="mc-close" role="button" aria-label="Close" style="position:absolute;right:30%;top:20%">✕</div></div></div>`,
    gone: ['.mc-layout', '.mc-bg', '.mc-frame'],
  },
  {
    name: 'es: a banner of a content system, at the foot',
    over: `<div class="cky-consent-container cky-box-bottom-left" tabindex="0" aria-label="Valoramos tu privacidad" role="region" style="position:fixed;left:40px;bottom:40px;width:440px;background:#fff;z-index:9999999;padding:24px"><div class="cky-notice"><p class="cky-title">Valoramos tu privacidad</p><p>Usamos cookies para mejorar su experiencia de navegación, mostrarle anuncios o contenidos personalizados y analizar nuestro tráfico.</p><button class="cky-btn-customize" data-cky-tag="settings-button">Personalizar</button><button class="cky-btn-reject" data-cky-tag="reject-button">Rechazar todo</button><button class="cky-btn-accept">Aceptar todo</button></div></div>
      <script>for (const c of ['reject', 'accept']) document.querySelector('.cky-btn-' + c).onclick = () => { window.choice = c; document.querySelector('.cky-consent-container').style.display = 'none'; };</script>`,
    gone: ['.cky-consent-container'],
    choice: 'reject',
  },
  {
    name: 'it: a wall of a publisher, in a frame of another site',
    over: `<div class="tp-backdrop tp-active" style="position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:300000"></div><div class="tp-modal" style="position:fixed;left:25%;top:20%;width:50%;height:360px;z-index:300001"><div class="tp-iframe-wrapper" style="height:100%"><iframe name="offer-1" src="{other}/frame" style="width:100%;height:100%;border:0"></iframe></div></div><script>document.documentElement.style.overflow = 'hidden'</script>`,
    frame:
      '<!doctype html><html lang="it"><body style="background:#fff"><h2>Contenuto riservato agli abbonati</h2><p>Scegli il tuo piano a partire da 1 € al mese.</p><button>Abbonati ora</button><a href="/login">Hai già un account? Accedi</a></body></html>',
    gone: ['.tp-modal', '.tp-backdrop'],
    scrolls: true,
  },
  {
    name: 'pt: an invitation to install, at the head',
    over: `<div class="smartbanner" style="position:fixed;top:0;left:0;right:0;height:84px;background:#f3f3f3;z-index:9998"><a href="javascript:void(0)" class="smartbanner__exit" aria-label="Fechar"></a><b>Jornal do Vale</b><span>Grátis — na Google Play</span><a class="smartbanner__button" href="https://play.google.com/store/apps/details?id=x">Ver</a></div>`,
    head: '<style>.smartbanner__exit{display:inline-block;width:20px;height:20px;background:#999}</style>',
    gone: ['.smartbanner'],
  },
  {
    name: 'nl: a notice that says it all in its own words',
    over: `<div role="alertdialog" aria-label="Cookiemelding" class="melding" style="position:fixed;bottom:0;left:0;right:0;background:#fff;border-top:3px solid;padding:20px;z-index:77"><strong>Mogen we meekijken?</strong> Met cookies zien we wat je leuk vindt. <button class="j">Prima</button><button class="n">Liever niet</button><a href="/cookies">Meer weten</a></div>`,
    gone: ['.melding'],
  },
  {
    name: 'en: a messenger in a corner, closed',
    over: `<div class="intercom-lightweight-app"><div class="intercom-launcher" role="button" aria-label="Open Messenger" style="position:fixed;right:20px;bottom:20px;width:48px;height:48px;border-radius:50%;background:#06f;z-index:2147483001"></div><div class="greeting" style="position:fixed;right:20px;bottom:80px;width:260px;background:#fff;z-index:2147483000;padding:12px">Hi there 👋 Questions about boots? We’re online. <button aria-label="Close">×</button></div></div>`,
    stays: ['.intercom-launcher', '.greeting', 'main'],
  },
  {
    name: 'fr: a calendar to choose a day from',
    over: `<div class="calendrier" role="dialog" aria-label="Choisir une date" style="position:absolute;left:300px;top:200px;width:320px;background:#fff;z-index:1000;border:1px solid">novembre 2026 <button aria-label="Fermer">×</button>${'<button>1</button>'.repeat(30)}</div>`,
    stays: ['.calendrier', 'main'],
  },
  {
    name: 'de: a post with an address of its own, over the list that it is from',
    body: `<header><nav><a href="/">Start</a></nav></header><main>${paragraphs('de', 6)}</main><div role="dialog" aria-modal="true" class="beitrag" style="position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:400"><button aria-label="Schließen">×</button><article style="margin:60px auto;width:600px;background:#fff;padding:24px"><b>hochwasser_news</b><p>Heute früh an der Mühle. 20 % Rabatt auf Gummistiefel gibt es übrigens beim Laden gegenüber.</p><p>Gefällt 412 Mal</p></article></div>`,
    stays: ['.beitrag', '.beitrag article', 'main'],
  },
  {
    name: 'ja: the results of a search, over the page',
    over: `<div class="kensaku" role="dialog" aria-modal="true" style="position:fixed;inset:0;background:rgba(255,255,255,.95);z-index:500;padding:40px"><button aria-label="閉じる">×</button><input type="search" value="堤防"><ul><li><a href="/1">堤防の話し合い</a></li><li><a href="/2">牧草地の水</a></li><li><a href="/3">クッキーの作り方</a></li></ul></div>`,
    stays: ['.kensaku', '.kensaku li', 'main'],
  },
]);
