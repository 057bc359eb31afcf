import { buildPages, paragraphs } from './page.js';

const CENTRE = 'position:fixed;top:20%;left:30%;width:40%;background:#fff;z-index:1050;padding:24px';
const BACKDROP = '<div class="modal-backdrop" style="position:fixed;inset:0;background:#000;opacity:.5;z-index:1040"></div>';

export const POPUPS = buildPages([
  {
    name: 'en: a newsletter pop-up with a backdrop',
    over: `${BACKDROP}<div class="modal show" role="dialog" style="${CENTRE}"><button type="button" class="btn-close" aria-label="Close">×</button><h4>Get 10% off your first order</h4><p>Join our list for stories and offers.</p><form action="/subscribe"><input type="email" placeholder="Email"><button type="submit">Sign me up</button></form></div>
      <script>document.body.style.overflow = 'hidden'; document.body.style.paddingRight = '15px'; document.querySelector('.btn-close').onclick = () => { window.choice = 'closed'; document.querySelector('.modal').remove(); };</script>`,
    gone: ['.modal', '.modal-backdrop'],
    choice: 'closed',
    scrolls: true,
  },
  {
    name: 'pl: a newsletter pop-up that comes with a delay',
    over: `<script>addEventListener('load', () => setTimeout(() => { document.body.insertAdjacentHTML('beforeend', '<div class="zapis" style="position:fixed;inset:0;background:rgba(0,0,0,.55);z-index:900"><div style="margin:120px auto;width:420px;background:#fff;padding:24px"><a class="zamknij">✕</a><h3>Zapisz się do newslettera</h3><p>Odbierz rabat na pierwsze zakupy.</p><input type="email"><button>Zapisuję się</button></div></div>'); document.querySelector('.zamknij').onclick = () => { window.choice = 'closed'; document.querySelector('.zapis').remove(); }; }, 150));</script>`,
    gone: ['.zapis'],
    choice: 'closed',
    late: true,
  },
  {
    name: 'fr: a paywall over a blurred article',
    body: `<header><nav><a href="/">Une</a></nav></header><main><h1>Crue</h1><article class="article flou">${paragraphs('fr')}</article></main>
      <div class="mur" style="position:fixed;left:0;right:0;bottom:0;height:45%;background:#fff;z-index:3000;padding:24px"><h2>Cet article est réservé aux abonnés</h2><p>Abonnez-vous pour lire la suite, à partir de 1 € par mois.</p><button>S’abonner</button> <a href="/connexion">Déjà abonné ? Se connecter</a></div><script>document.body.classList.add('mur-ouvert')</script>`,
    head: '<style>.flou{filter:blur(6px);user-select:none}.mur-ouvert{overflow:hidden;position:fixed;width:100%;top:0}</style>',
    gone: ['.mur'],
    stays: ['main', 'article', 'article p', 'header'],
    scrolls: true,
  },
  {
    name: 'de: a paywall that cuts the article off',
    body: `<header><nav><a href="/">Start</a></nav></header><main><h1>Hochwasser</h1><article><div class="text gekuerzt"><p>${'Der Fluss stieg in der Nacht. '.repeat(40)}</p>${paragraphs('de', 4)}<p class="ende">Der Damm hielt bis zum Morgen, und niemand kam zu Schaden.</p></div><div class="verlauf" style="position:absolute;left:0;right:0;top:200px;height:160px;background:linear-gradient(transparent,#fff)"></div></article></main>
      <div class="schranke" role="dialog" style="position:fixed;bottom:0;left:15%;width:70%;background:#fff;z-index:80;padding:24px"><strong>Jetzt weiterlesen mit Plus</strong><p>Dieser Inhalt ist nur für Abonnenten. Jetzt testen und alle Artikel lesen.</p><button>Probeabo starten</button></div>`,
    head: '<style>.gekuerzt{max-height:220px;overflow:hidden}</style>',
    gone: ['.schranke', '.verlauf'],
    stays: ['main', 'article p', '.ende', 'header'],
  },
  {
    name: 'ja: a banner for an app',
    over: `<div class="smart-banner" style="position:fixed;bottom:0;left:0;right:0;height:80px;background:#fafafa;z-index:2000"><button class="smart-banner__close" aria-label="閉じる">×</button><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="48" height="48"><span>もっと快適に。アプリで見る</span><a href="https://apps.apple.com/jp/app/x">開く</a></div><script>document.querySelector('.smart-banner__close').onclick = () => { window.choice = 'closed'; document.querySelector('.smart-banner').remove(); };</script>`,
    gone: ['.smart-banner'],
    choice: 'closed',
  },
  {
    name: 'nl: a newsletter pop-up in a shadow root',
    over: `<nieuws-brief></nieuws-brief><script>customElements.define('nieuws-brief', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<style>.doek{position:fixed;inset:0;background:rgba(0,0,0,.5);z-index:700}.kaart{position:fixed;z-index:701;left:35%;top:25%;width:30%;background:#fff;padding:20px}</style><div class="doek"></div><div class="kaart" role="dialog" aria-modal="true"><h3>Schrijf je in voor de nieuwsbrief</h3><p>Elke vrijdag het beste van de week.</p><input type="email"><button class="ja">Inschrijven</button><button class="nee">Nee, bedankt</button></div>'; root.querySelector('.nee').onclick = () => { window.choice = 'no'; root.querySelector('.kaart').remove(); }; } });</script>`,
    gone: ['nieuws-brief >>> .kaart', 'nieuws-brief >>> .doek'],
    choice: 'no',
  },
  {
    name: 'es: a wall against ad blockers',
    over: `<div class="fc-ab-root"><div class="fc-dialog-overlay" style="position:fixed;inset:0;background:#0008;z-index:2147483640"></div><div class="fc-dialog-container" style="position:fixed;inset:0;display:flex;align-items:center;justify-content:center;z-index:2147483641"><div class="fc-dialog" role="dialog" style="background:#fff;width:400px;padding:24px"><h1 class="fc-dialog-headline">Parece que usas un bloqueador de anuncios</h1><p>La publicidad mantiene este sitio. Desactívalo para seguir leyendo.</p><button class="fc-primary-button">Permitir anuncios</button></div></div></div>
      <script>document.body.style.setProperty('overflow', 'hidden', 'important');</script>`,
    gone: ['.fc-dialog', '.fc-dialog-overlay'],
    scrolls: true,
  },
  {
    name: 'en: a native dialog that asks for the country',
    over: `<dialog class="geo"><p>It looks like you’re in Germany. Choose your country to see local prices.</p><form method="dialog"><button value="de">Go to Germany</button><button value="x" aria-label="Close">×</button></form></dialog><script>document.querySelector('.geo').showModal()</script>`,
    gone: ['.geo'],
  },
  {
    name: 'it: a question about notifications',
    over: `<div id="onesignal-slidedown-container" style="position:fixed;top:0;left:50%;width:500px;margin-left:-250px;z-index:999999;background:#fff;padding:16px"><div class="slidedown-body">Vuoi ricevere le notifiche sulle ultime notizie?</div><button id="onesignal-slidedown-cancel-button">Più tardi</button><button id="onesignal-slidedown-allow-button">Iscriviti</button></div><script>document.getElementById('onesignal-slidedown-cancel-button').onclick = () => { window.choice = 'later'; document.getElementById('onesignal-slidedown-container').remove(); };</script>`,
    gone: ['#onesignal-slidedown-container'],
    choice: 'later',
  },
]);
