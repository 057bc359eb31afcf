import { buildPages, chooses } from './page.js';

export const CONSENT = buildPages([
  {
    name: 'en: OneTrust, with "Reject All"',
    over: `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter" style="position:fixed;inset:0;z-index:2147483645;background:rgba(0,0,0,.5)"></div>
      <div id="onetrust-banner-sdk" class="otFlat bottom" role="region" aria-label="Cookie banner" style="position:fixed;bottom:0;left:0;right:0;z-index:2147483646;background:#fff;padding:20px"><div role="alertdialog" aria-label="Privacy">
      <div id="onetrust-policy-text">By clicking “Accept All Cookies”, you agree to the storing of cookies on your device to enhance site navigation, analyze site usage, and assist in our marketing efforts. <a href="/cookies">Cookie policy</a></div>
      <div id="onetrust-button-group"><button id="onetrust-pc-btn-handler">Cookies Settings</button><button id="onetrust-reject-all-handler">Reject All</button><button id="onetrust-accept-btn-handler">Accept All Cookies</button></div></div></div></div>
      <script>${chooses('#onetrust-reject-all-handler', 'reject', '#onetrust-consent-sdk')}${chooses('#onetrust-accept-btn-handler', 'accept', '#onetrust-consent-sdk')}</script>`,
    gone: ['#onetrust-banner-sdk', '.onetrust-pc-dark-filter'],
    choice: 'reject',
  },
  {
    name: 'ja: a notice with nothing but an accept button',
    over: `<div class="cookie-notice" style="position:fixed;bottom:0;left:0;width:100%;background:#222;color:#fff;z-index:9999;padding:16px"><p>当サイトでは、利便性向上のためにクッキーを使用しています。サイトの閲覧を続けることで、クッキーの使用に同意したものとみなされます。<a href="/policy">詳しくはこちら</a></p><button class="ok">同意する</button></div>
      <script>${chooses('.ok', 'accept', '.cookie-notice')}</script>`,
    gone: ['.cookie-notice'],
  },
  {
    name: 'da: Cookiebot',
    over: `<div id="CybotCookiebotDialogBodyUnderlay" style="position:fixed;inset:0;background:#000;opacity:.6;z-index:2147483630"></div>
      <div id="CybotCookiebotDialog" role="dialog" aria-modal="true" style="position:fixed;top:20%;left:20%;width:60%;background:#fff;z-index:2147483631;padding:20px"><h2 id="CybotCookiebotDialogBodyContentTitle">Denne hjemmeside bruger cookies</h2><div>Vi bruger cookies til at tilpasse vores indhold og annoncer, til at vise dig funktioner til sociale medier og til at analysere vores trafik.</div>
      <button id="CybotCookiebotDialogBodyButtonDecline" class="CybotCookiebotDialogBodyButton">Kun nødvendige cookies</button><button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll" class="CybotCookiebotDialogBodyButton">Tillad alle cookies</button></div>
      <script>for (const [id, choice] of [['CybotCookiebotDialogBodyButtonDecline', 'reject'], ['CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll', 'accept']]) document.getElementById(id).onclick = () => { window.choice = choice; CybotCookiebotDialog.remove(); CybotCookiebotDialogBodyUnderlay.remove(); };</script>`,
    gone: ['#CybotCookiebotDialog', '#CybotCookiebotDialogBodyUnderlay'],
    choice: 'reject',
  },
  {
    name: 'fr: Didomi, with "Continuer sans accepter"',
    over: `<div id="didomi-host"><div id="didomi-popup" class="didomi-popup-backdrop" style="position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:2147483640"><div class="didomi-popup-container" role="dialog" aria-modal="true" style="position:absolute;top:15%;left:25%;width:50%;background:#fff;padding:24px"><span class="didomi-continue-without-agreeing" role="button" tabindex="0">Continuer sans accepter →</span><p>Avec votre accord, nos partenaires et nous utilisons des cookies ou technologies similaires pour stocker et accéder à des informations personnelles comme votre visite sur ce site.</p><button id="didomi-notice-learn-more-button">En savoir plus</button><button id="didomi-notice-agree-button">Accepter &amp; Fermer</button></div></div></div>
      <script>document.body.classList.add('didomi-popup-open');${chooses('.didomi-continue-without-agreeing', 'reject', '#didomi-host')}${chooses('#didomi-notice-agree-button', 'accept', '#didomi-host')}</script>`,
    head: '<style>.didomi-popup-open{overflow:hidden!important;height:100vh}</style>',
    gone: ['#didomi-popup', '.didomi-popup-container'],
    choice: 'reject',
    scrolls: true,
  },
  {
    name: 'es: Quantcast Choice',
    over: `<div class="qc-cmp2-container" id="qc-cmp2-container"><div class="qc-cmp2-main" id="qc-cmp2-main"><div class="qc-cmp-cleanslate css-x" style="position:fixed;inset:0;background:rgba(0,0,0,.7);z-index:2147483644"><div id="qc-cmp2-ui" role="dialog" aria-label="Valoramos su privacidad" style="position:absolute;left:30%;top:20%;width:40%;background:#fff;padding:20px"><h2>Valoramos su privacidad</h2><p>Nosotros y nuestros socios almacenamos o accedemos a información en un dispositivo, tales como cookies, y procesamos datos personales.</p><div class="qc-cmp2-summary-buttons"><button mode="secondary">MÁS OPCIONES</button><button mode="secondary" class="no">RECHAZO</button><button mode="primary" class="yes">ACEPTO</button></div></div></div></div></div>
      <script>${chooses('.no', 'reject', '#qc-cmp2-container')}${chooses('.yes', 'accept', '#qc-cmp2-container')}</script>`,
    gone: ['#qc-cmp2-ui', '.qc-cmp-cleanslate'],
    choice: 'reject',
  },
  {
    name: 'de: Usercentrics, in a shadow root',
    over: `<div id="usercentrics-root"></div><script>{
        const root = document.getElementById('usercentrics-root').attachShadow({ mode: 'open' });
        root.innerHTML = '<div data-testid="uc-overlay" class="overlay" style="position:fixed;inset:0;background:rgba(30,30,30,.6);z-index:99998"></div><div class="wall" role="dialog" aria-modal="true" style="position:fixed;top:25%;left:25%;width:50%;background:#fff;z-index:99999;padding:20px"><h2>Datenschutzeinstellungen</h2><p>Wir nutzen Cookies und ähnliche Technologien auf unserer Website und verarbeiten personenbezogene Daten von dir.</p><button data-testid="uc-more-button">Einstellungen</button><button data-testid="uc-deny-all-button">Alles ablehnen</button><button data-testid="uc-accept-all-button">Alles akzeptieren</button></div>';
        for (const [name, choice] of [['deny', 'reject'], ['accept', 'accept']]) root.querySelector('[data-testid=uc-' + name + '-all-button]').onclick = () => { window.choice = choice; root.host.remove(); };
      }</script>`,
    gone: ['#usercentrics-root >>> .wall', '#usercentrics-root >>> .overlay'],
    choice: 'reject',
  },
  {
    name: 'nl: Sourcepoint, in a frame of another site',
    over: `<div id="sp_message_container_9" style="position:fixed;inset:0;z-index:2147483647;background:rgba(0,0,0,.4)"><iframe id="sp_message_iframe_9" title="SP Consent Message" src="{other}/frame?message_id=9" style="position:absolute;left:20%;top:20%;width:60%;height:60%;border:0"></iframe></div>
      <script>addEventListener('message', ({ data }) => { if (data.choice) { window.choice = data.choice; sp_message_container_9.remove(); } });</script>`,
    frame: `<!doctype html><html lang="nl"><body style="background:#fff"><div class="message type-modal"><p>Wij en onze partners gebruiken cookies om je een goede ervaring te bieden en om advertenties te meten.</p><button class="message-component sp_choice_type_12">Instellingen</button><button class="message-component sp_choice_type_13">Weigeren</button><button class="message-component sp_choice_type_11">Akkoord</button></div>
      <script>for (const [type, choice] of [[13, 'reject'], [11, 'accept']]) document.querySelector('.sp_choice_type_' + type).onclick = () => parent.postMessage({ choice }, '*');</script></body></html>`,
    gone: ['#sp_message_container_9', '#sp_message_iframe_9'],
    choice: 'reject',
  },
  {
    name: 'it: TrustArc',
    over: `<div id="consent_blackbar" style="position:fixed;bottom:0;width:100%;z-index:9999999;background:#f4f4f4"><div id="truste-consent-track" style="padding:20px"><div id="truste-consent-content"><div id="truste-consent-text">Utilizziamo i cookie per migliorare la navigazione, analizzare il traffico e personalizzare gli annunci.</div><div id="truste-consent-buttons"><button id="truste-consent-button">Accetta tutti</button><button id="truste-consent-required">Solo necessari</button><button id="truste-show-consent">Gestisci preferenze</button></div></div></div></div>
      <script>${chooses('#truste-consent-required', 'reject', '#consent_blackbar')}${chooses('#truste-consent-button', 'accept', '#consent_blackbar')}</script>`,
    gone: ['#consent_blackbar', '#truste-consent-track'],
    choice: 'reject',
  },
  {
    name: 'pt: a home-made notice that locks the page',
    over: `<div class="lgpd"><div class="lgpd__fundo" style="position:fixed;top:0;left:0;width:100vw;height:100vh;background:#0009;z-index:500"></div><section class="lgpd__caixa" style="position:fixed;top:30%;left:10%;right:10%;background:#fff;z-index:501;padding:32px"><h3>A sua privacidade</h3><p>Este site utiliza cookies para melhorar a sua experiência e mostrar publicidade do seu interesse.</p><a href="#" class="nao">Apenas os necessários</a> <a href="#" class="sim">Aceitar todos</a></section></div>
      <script>document.documentElement.classList.add('sem-rolagem');${chooses('.nao', 'reject', '.lgpd')}${chooses('.sim', 'accept', '.lgpd')}</script>`,
    head: '<style>.sem-rolagem,.sem-rolagem body{overflow:hidden;height:100%}</style>',
    gone: ['.lgpd__caixa', '.lgpd__fundo'],
    choice: 'reject',
    scrolls: true,
  },
  {
    name: 'pl: a strip in the flow, above the header',
    replaces: '<header>',
    by: `<div class="ciasteczka" style="background:#ffd;padding:8px 24px">Ta strona używa plików cookies, aby zapewnić jej prawidłowe działanie. <button>Rozumiem</button></div><script>${chooses('.ciasteczka button', 'accept', '.ciasteczka')}</script><header>`,
    gone: ['.ciasteczka'],
  },
  {
    name: 'en: a notice in a frame of the same site, at the foot',
    over: `<iframe class="cn" src="/frame" style="position:fixed;left:0;right:0;bottom:0;width:100%;height:160px;border:0;z-index:10000;background:#fff"></iframe>`,
    frame: `<!doctype html><html lang="en"><body><p>Our website uses cookies to make your visit better and to measure how it is used.</p><button class="n">Only essential cookies</button><button class="y">Allow all</button><script>for (const c of ['n', 'y']) document.querySelector('.' + c).onclick = () => { parent.choice = c === 'n' ? 'reject' : 'accept'; parent.document.querySelector('.cn').remove(); };</script></body></html>`,
    gone: ['.cn'],
    choice: 'reject',
  },
]);
