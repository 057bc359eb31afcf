import { article, html, paragraphs, type ModalPage } from './page.js';

const ARTICLE = ['main', 'article p', 'header', 'footer'];

/** The last ten: as publishers' own tools write them, from memory. */
export const HELD_OUT_LAST: readonly ModalPage[] = [
  {
    name: 'de: a plugin of a content system, with boxes to tick',
    html: article(
      'de',
      `<div id="BorlabsCookieBox" class="BorlabsCookie" role="dialog" aria-modal="true" style="position:fixed;inset:0;background:rgba(0,0,0,.4);z-index:999999"><div class="_brlbs-box" style="margin:100px auto;width:640px;background:#fff;padding:30px"><p class="h3">Datenschutzeinstellungen</p><p>Wir benötigen Ihre Zustimmung, bevor Sie unsere Website weiter besuchen können.</p><label><input type="checkbox" checked disabled> Essenziell</label><label><input type="checkbox"> Statistiken</label><label><input type="checkbox"> Externe Medien</label><p><a role="button" href="#" class="alle">Alle akzeptieren</a> <a role="button" href="#" class="wahl">Speichern</a> <a role="button" href="#" class="nur">Nur essenzielle Cookies akzeptieren</a></p></div></div>
      <script>for (const [c, choice] of [['alle', 'accept'], ['wahl', 'save'], ['nur', 'reject']]) document.querySelector('.' + c).onclick = () => { window.choice = choice; document.querySelector('#BorlabsCookieBox').remove(); };</script>`,
    ),
    gone: ['#BorlabsCookieBox', '._brlbs-box'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'en: a pop-up of a mailing service, in a frame',
    html: article(
      'en',
      `<div id="PopupSignupForm_0"><div class="mc-layout" style="position:fixed;inset:0;z-index:2147483640"><div class="mc-bg" style="position:absolute;inset:0;background:rgba(0,0,0,.5)"></div><iframe class="mc-frame" srcdoc="<!doctype html><html lang='en'><body style='background:#fff'><h2>Stay in touch</h2><p>Monthly notes, no spam.</p><form><input type='email' placeholder='Email address'><button>Subscribe</button></form></body></html>" style="position:absolute;left:30%;top:20%;width:40%;height:300px;border:0"></iframe><div class="mc-close" role="button" aria-label="Close" style="position:absolute;right:30%;top:20%">✕</div></div></div>`,
    ),
    gone: ['.mc-layout', '.mc-bg', '.mc-frame'],
    stays: ARTICLE,
  },
  {
    name: 'es: a banner of a content system, at the foot',
    html: article(
      'es',
      `<div class="cky-consent-container cky-box-bottom-left" tabindex="0" aria-label="Valoramos tu privacidad" role="region" style="position:fixed;left:40px;bottom:40px;width:440px;background:#fff;z-index:9999999;padding:24px"><div class="cky-notice"><p class="cky-title">Valoramos tu privacidad</p><p>Usamos cookies para mejorar su experiencia de navegación, mostrarle anuncios o contenidos personalizados y analizar nuestro tráfico.</p><button class="cky-btn-customize" data-cky-tag="settings-button">Personalizar</button><button class="cky-btn-reject" data-cky-tag="reject-button">Rechazar todo</button><button class="cky-btn-accept">Aceptar todo</button></div></div>
      <script>for (const c of ['reject', 'accept']) document.querySelector('.cky-btn-' + c).onclick = () => { window.choice = c; document.querySelector('.cky-consent-container').style.display = 'none'; };</script>`,
    ),
    gone: ['.cky-consent-container'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'it: a wall of a publisher, in a frame of another site',
    html: article(
      'it',
      `<div class="tp-backdrop tp-active" style="position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:300000"></div><div class="tp-modal" style="position:fixed;left:25%;top:20%;width:50%;height:360px;z-index:300001"><div class="tp-iframe-wrapper" style="height:100%"><iframe name="offer-1" src="{other}/frame" style="width:100%;height:100%;border:0"></iframe></div></div><script>document.documentElement.style.overflow = 'hidden'</script>`,
    ),
    frame:
      '<!doctype html><html lang="it"><body style="background:#fff"><h2>Contenuto riservato agli abbonati</h2><p>Scegli il tuo piano a partire da 1 € al mese.</p><button>Abbonati ora</button><a href="/login">Hai già un account? Accedi</a></body></html>',
    gone: ['.tp-modal', '.tp-backdrop'],
    stays: ARTICLE,
    scrolls: true,
  },
  {
    name: 'pt: an invitation to install, at the head',
    html: article(
      'pt',
      `<div class="smartbanner" style="position:fixed;top:0;left:0;right:0;height:84px;background:#f3f3f3;z-index:9998"><a href="javascript:void(0)" class="smartbanner__exit" aria-label="Fechar"></a><b>Jornal do Vale</b><span>Grátis — na Google Play</span><a class="smartbanner__button" href="https://play.google.com/store/apps/details?id=x">Ver</a></div>`,
      '<style>.smartbanner__exit{display:inline-block;width:20px;height:20px;background:#999}</style>',
    ),
    gone: ['.smartbanner'],
    stays: ARTICLE,
  },
  {
    name: 'nl: a notice that says it all in its own words',
    html: article(
      'nl',
      `<div role="alertdialog" aria-label="Cookiemelding" class="melding" style="position:fixed;bottom:0;left:0;right:0;background:#fff;border-top:3px solid;padding:20px;z-index:77"><strong>Mogen we meekijken?</strong> Met cookies zien we wat je leuk vindt. <button class="j">Prima</button><button class="n">Liever niet</button><a href="/cookies">Meer weten</a></div>`,
    ),
    gone: ['.melding'],
    stays: ARTICLE,
  },
  {
    name: 'en: a messenger in a corner, closed',
    html: article(
      'en',
      `<div class="intercom-lightweight-app"><div class="intercom-launcher" role="button" aria-label="Open Messenger" style="position:fixed;right:20px;bottom:20px;width:48px;height:48px;border-radius:50%;background:#06f;z-index:2147483001"></div><div class="greeting" style="position:fixed;right:20px;bottom:80px;width:260px;background:#fff;z-index:2147483000;padding:12px">Hi there 👋 Questions about boots? We’re online. <button aria-label="Close">×</button></div></div>`,
    ),
    gone: [],
    stays: ['.intercom-launcher', '.greeting', 'main'],
  },
  {
    name: 'fr: a calendar to choose a day from',
    html: article(
      'fr',
      `<div class="calendrier" role="dialog" aria-label="Choisir une date" style="position:absolute;left:300px;top:200px;width:320px;background:#fff;z-index:1000;border:1px solid">novembre 2026 <button aria-label="Fermer">×</button>${'<button>1</button>'.repeat(30)}</div>`,
    ),
    gone: [],
    stays: ['.calendrier', 'main'],
  },
  {
    name: 'de: a post with an address of its own, over the list that it is from',
    html: html(
      'de',
      `<header><nav><a href="/">Start</a></nav></header><main>${paragraphs('de', 6)}</main><div role="dialog" aria-modal="true" class="beitrag" style="position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:400"><button aria-label="Schließen">×</button><article style="margin:60px auto;width:600px;background:#fff;padding:24px"><b>hochwasser_news</b><p>Heute früh an der Mühle. 20 % Rabatt auf Gummistiefel gibt es übrigens beim Laden gegenüber.</p><p>Gefällt 412 Mal</p></article></div>`,
    ),
    gone: [],
    stays: ['.beitrag', '.beitrag article', 'main'],
  },
  {
    name: 'ja: the results of a search, over the page',
    html: article(
      'ja',
      `<div class="kensaku" role="dialog" aria-modal="true" style="position:fixed;inset:0;background:rgba(255,255,255,.95);z-index:500;padding:40px"><button aria-label="閉じる">×</button><input type="search" value="堤防"><ul><li><a href="/1">堤防の話し合い</a></li><li><a href="/2">牧草地の水</a></li><li><a href="/3">クッキーの作り方</a></li></ul></div>`,
    ),
    gone: [],
    stays: ['.kensaku', '.kensaku li', 'main'],
  },
];
