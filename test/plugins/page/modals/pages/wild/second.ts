import { buildPages, html, paragraphs } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='560'><rect width='900' height='560' fill='peru'/></svg>";

/** More of what lies over pages elsewhere: written when the first had been learnt from, for a look at what that is worth. */
export const SECOND_MODALS = buildPages([
  {
    name: 'da: Cookiebot over a shaded page',
    over: `<div id="CybotCookiebotDialogBodyUnderlay" class="active"></div><div id="CybotCookiebotDialog" role="dialog" aria-modal="true" class="CybotCookiebotDialogActive" lang="da"><h2 id="CybotCookiebotDialogBodyContentTitle">Vi er glade for dit besøg</h2><div id="CybotCookiebotDialogBodyContentText">Sammen med vores partnere gemmer vi oplysninger om, hvordan siden bliver brugt.</div><div id="CybotCookiebotDialogFooter"><button id="CybotCookiebotDialogBodyButtonDecline">Afvis</button><button id="CybotCookiebotDialogBodyLevelButtonCustomize">Tilpas</button><button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll">Tillad alle</button></div></div>
      <script>for (const [id, choice] of [['CybotCookiebotDialogBodyButtonDecline', 'reject'], ['CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll', 'accept']]) document.getElementById(id).onclick = () => { window.choice = choice; for (const e of document.querySelectorAll('[id^=CybotCookiebotDialog]')) e.remove(); };</script>`,
    head: '<style>#CybotCookiebotDialogBodyUnderlay{position:fixed;inset:0;background:#000;opacity:.75;z-index:2147483600}#CybotCookiebotDialog{position:fixed;top:50%;left:50%;transform:translate(-50%,-50%);width:600px;background:#fff;z-index:2147483645;padding:30px}</style>',
    gone: ['#CybotCookiebotDialog', '#CybotCookiebotDialogBodyUnderlay'],
    choice: 'reject',
  },
  {
    name: 'fr: Didomi, which locks the page, with the way out in small letters',
    over: `<div id="didomi-host" class="didomi-host-enabled"><div class="didomi-popup-container"><div class="didomi-popup-backdrop didomi-popup__backdrop"></div><div id="didomi-popup" class="didomi-popup-view" role="dialog" aria-modal="true"><span class="didomi-continue-without-agreeing" role="button" tabindex="0">Continuer sans accepter →</span><p>Nous et nos 214 partenaires lisons des informations sur votre appareil pour afficher des annonces.</p><button id="didomi-notice-learn-more-button">En savoir plus</button><button id="didomi-notice-agree-button">Tout accepter</button></div></div></div>
      <script>document.body.classList.add('didomi-popup-open'); const out = (c) => () => { window.choice = c; document.getElementById('didomi-host').remove(); document.body.classList.remove('didomi-popup-open'); }; document.querySelector('.didomi-continue-without-agreeing').onclick = out('reject'); document.querySelector('#didomi-notice-agree-button').onclick = out('accept');</script>`,
    head: '<style>.didomi-popup-open{overflow:hidden!important}.didomi-popup-backdrop{position:fixed;inset:0;background:rgba(0,0,0,.8);z-index:2147483640;display:flex}.didomi-popup-view{position:fixed;top:20%;left:25%;width:50%;background:#fff;padding:24px;z-index:2147483641}.didomi-continue-without-agreeing{float:right;text-decoration:underline;font-size:12px}</style>',
    gone: ['#didomi-popup', '.didomi-popup-backdrop'],
    choice: 'reject',
    scrolls: true,
  },
  {
    name: 'el: classes made by a machine, two buttons alike',
    over: `<div data-portal="1"><div class="sc-fzqARJ kXvQde"><div class="sc-fzpans bLuQzN"><p class="sc-1x2 jq">Χρησιμοποιούμε cookies για να θυμόμαστε τις επιλογές σας και να μετράμε την επισκεψιμότητα.</p><div class="sc-3d f"><button type="button" class="sc-b1 kk">Αποδοχή όλων</button><button type="button" class="sc-b1 ll">Απόρριψη όλων</button></div></div></div></div><script>document.querySelector('.ll').onclick = () => { window.choice = 'reject'; document.querySelector('[data-portal]').innerHTML = ''; }; document.querySelector('.kk').onclick = () => { window.choice = 'accept'; };</script>`,
    head: '<style>.kXvQde{position:fixed;bottom:0;left:0;right:0;z-index:1400}.bLuQzN{background:#10243e;color:#fff;padding:18px;display:flex;gap:20px}</style>',
    gone: ['.kXvQde'],
    choice: 'reject',
  },
  {
    name: 'nl: a footer element that is a notice, fixed',
    over: `<footer class="cookiefooter" id="cf"><form onsubmit="return false"><fieldset><legend>Wij bewaren kleine bestanden op je computer</legend><label><input type="checkbox" checked disabled> Noodzakelijk</label> <label><input type="checkbox"> Meten</label> <label><input type="checkbox"> Reclame</label></fieldset><button class="alles">Alles toestaan</button> <button class="nodig">Alleen het nodige</button></form></footer><script>document.querySelector('.nodig').onclick = () => { window.choice = 'reject'; document.getElementById('cf').remove(); }; document.querySelector('.alles').onclick = () => { window.choice = 'accept'; document.getElementById('cf').remove(); };</script>`,
    head: '<style>.cookiefooter{position:fixed;bottom:0;left:0;right:0;background:#fffbe8;padding:20px;z-index:700;border-top:4px solid orange}</style>',
    gone: ['#cf'],
    stays: ['main', 'article p', 'header'],
    choice: 'reject',
  },
  {
    name: 'zh: a strip at the very head, in the flow',
    lang: 'ja',
    head: '<style>.tip{background:#2b2b2b;color:#fff;padding:12px;text-align:center}</style>',
    replaces: '<header>',
    by: `<div class="tip" id="cookie-tip">本网站使用 Cookie 以改善您的浏览体验。继续浏览即表示您接受我们的<a href="/privacy">隐私政策</a>。<button onclick="window.choice='accept'">我知道了</button></div><header>`,
    gone: ['.tip'],
  },
  {
    name: 'pl: a notice of a manager, in a frame of another host',
    over: `<div class="truste_overlay" id="truste_overlay_1"></div><div class="truste_box_overlay" id="pop-div"><iframe class="truste_popframe" title="TrustArc Cookie Consent Manager" src="{other}/frame"></iframe></div><script>document.body.style.overflow = 'hidden'</script>`,
    head: '<style>.truste_overlay{position:fixed;inset:0;background:#000;opacity:.8;z-index:1000000}.truste_box_overlay{position:fixed;left:20%;top:15%;width:60%;height:400px;z-index:1000001}.truste_popframe{width:100%;height:100%;border:0;background:#fff}</style>',
    frame: html(
      'pl',
      `<div style="padding:24px"><h1>Twój wybór dotyczący plików cookie</h1><p>Używamy ich, by strona działała, oraz do reklam.</p><a class="rejectAll" role="button" href="#">Odrzuć wszystkie</a> <a class="call" role="button" href="#">Zgadzam się i przechodzę dalej</a></div><script>document.querySelector('.rejectAll').onclick = () => parent.postMessage('reject', '*')</script>`,
    ),
    gone: ['.truste_box_overlay', '.truste_overlay'],
    scrolls: true,
  },
  {
    name: 'en: a letter-writing platform asks who reads, over everything',
    over: `<div class="intro-popup"><div class="bg"></div><div class="inner"><img alt="" width="96" height="96" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='96' height='96'><circle cx='48' cy='48' r='48'/></svg>"><h1>Discover more from Notes on Water</h1><p>Thoughts about rivers, dams and the people beside them. Over 12,000 readers.</p><form><input type="email" name="email" placeholder="Type your email..."><button type="submit">Subscribe</button></form><p class="terms">By subscribing, you agree to our Terms of Use and acknowledge our Privacy Policy.</p><button class="maybe-later">Continue reading</button></div></div><script>document.querySelector('.maybe-later').onclick = () => document.querySelector('.intro-popup').remove()</script>`,
    head: '<style>.intro-popup .bg{position:fixed;inset:0;background:rgba(255,255,255,.96);z-index:1000}.intro-popup .inner{position:fixed;inset:15% 25%;z-index:1001;text-align:center}</style>',
    gone: ['.intro-popup .bg', '.intro-popup .inner'],
  },
  {
    name: 'de: a banner of a shop that comes when the page is scrolled',
    over: `<div class="klaviyo-form" role="dialog" aria-label="POPUP Form" hidden><button class="needsclick" aria-label="Dialog schließen"><svg width="20" height="20"><path d="M0 0L20 20"/></svg></button><div><span>Willkommen!</span><p>Sichere dir 5 € für deine erste Bestellung ab 50 €.</p><input type="email" placeholder="E-Mail-Adresse"><button>Jetzt sichern</button></div></div><script>const form = document.querySelector('.klaviyo-form'); addEventListener('scroll', () => { form.hidden = false; }); form.querySelector('button').onclick = () => { window.choice = 'closed'; form.remove(); }; addEventListener('load', () => setTimeout(() => scrollTo(0, 120), 200));</script>`,
    head: '<style>.klaviyo-form:not([hidden]){position:fixed;left:20px;bottom:20px;width:340px;background:#e7f3ff;padding:24px;z-index:90000}</style>',
    gone: ['.klaviyo-form'],
    choice: 'closed',
    late: true,
  },
  {
    name: 'es: a paragraph that fades, and what reading on costs',
    body: `<header><nav><a href="/">Portada</a> <a href="/local">Local</a></nav></header><main><h1>La crecida</h1><article><div class="cuerpo">${paragraphs('es', 2)}</div><div id="resto" class="resto">${paragraphs('es', 8)}<p class="fin">A la mañana siguiente el agua bajó.</p></div><div class="caja-suscripcion"><h2>Esta noticia es solo para suscriptores</h2><p>1 € al mes durante tres meses. Cancela cuando quieras.</p><a href="/suscripcion">Suscribirme</a> <a href="/entrar">Ya tengo cuenta</a></div></article></main>`,
    head: '<style>.resto{filter:blur(5px);user-select:none;max-height:260px;overflow:hidden}.caja-suscripcion{margin-top:-120px;position:relative;z-index:2;background:#fff;border:1px solid #ccc;padding:24px}</style>',
    gone: ['.caja-suscripcion'],
    stays: ['main', '.cuerpo', '#resto p', '.fin', 'header'],
  },
  {
    name: 'ru: a network of friends asks who is looking, and holds the page still',
    over: `<div class="UnauthActionBox"><div class="UnauthActionBox__in"><h3>Войдите, чтобы увидеть больше</h3><p>Зарегистрируйтесь или войдите, чтобы читать все записи и оставлять комментарии.</p><a class="btn" href="/join">Создать аккаунт</a> <a class="btn" href="/login">Войти</a></div></div><script>document.body.style.cssText = 'position:fixed;top:-240px;left:0;right:0;overflow:hidden;touch-action:none'</script>`,
    head: '<style>.UnauthActionBox{position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:500}.UnauthActionBox__in{position:absolute;left:50%;top:50%;transform:translate(-50%,-50%);background:#fff;padding:30px;width:400px}</style>',
    gone: ['.UnauthActionBox'],
    scrolls: true,
  },
  {
    name: 'ko: read on in the app, at the foot',
    over: `<div class="bottom-sheet"><p><b>앱에서 보면 더 편해요</b></p><a class="go" href="https://valley.onelink.me/abc">앱으로 보기</a><button class="web">모바일웹으로 볼게요</button></div><div class="dimmed"></div><script>document.querySelector('.web').onclick = () => { document.querySelectorAll('.bottom-sheet,.dimmed').forEach((e) => e.remove()); }</script>`,
    head: '<style>.dimmed{position:fixed;inset:0;background:rgba(0,0,0,.5);z-index:998}.bottom-sheet{position:fixed;left:0;right:0;bottom:0;background:#fff;padding:24px;z-index:999;border-radius:16px 16px 0 0;text-align:center}</style>',
    gone: ['.bottom-sheet', '.dimmed'],
  },
  {
    name: 'fi: a survey in the corner, some time after',
    over: `<script>addEventListener('load', () => setTimeout(() => { const box = document.createElement('div'); box.className = 'palaute'; box.innerHTML = '<button class="pois" aria-label="Sulje">&#10005;</button><p>Kuinka todennäköisesti suosittelisit palveluamme ystävälle?</p>' + [0, 1, 2, 3, 4, 5].map((n) => '<button>' + n + '</button>').join(''); document.body.append(box); box.querySelector('.pois').onclick = () => { window.choice = 'closed'; box.remove(); }; }, 200));</script>`,
    head: '<style>.palaute{position:fixed;right:24px;bottom:24px;width:320px;background:#fff;border-radius:8px;box-shadow:0 4px 24px #0004;padding:16px;z-index:10000}</style>',
    gone: ['.palaute'],
    choice: 'closed',
    late: true,
  },
  {
    name: 'tr: an advertisement blocker was found',
    over: `<div id="abd"><div><h2>Reklam engelleyici açık görünüyor</h2><p>Haberlerimiz reklamlarla ücretsiz kalıyor. Lütfen bu site için kapatın.</p><button onclick="location.reload()">Kapattım, yenile</button></div></div><script>document.documentElement.style.overflow = 'hidden'; document.querySelector('main').style.filter = 'blur(8px)';</script>`,
    head: '<style>#abd{position:fixed;inset:0;background:rgba(0,0,0,.85);z-index:999999;display:flex;align-items:center;justify-content:center}#abd>div{background:#fff;max-width:420px;padding:28px}</style>',
    gone: ['#abd'],
    scrolls: true,
  },
  {
    name: 'pt: Quantcast in a dialog with three buttons',
    over: `<div id="qc-cmp2-container" class="qc-cmp2-container"><div id="qc-cmp2-main"><div class="qc-cmp-cleanslate css-1l2op84"><div id="qc-cmp2-ui" role="dialog" aria-modal="true" aria-label="Sua escolha"><div class="qc-cmp2-summary-section"><h2>Valorizamos a sua escolha</h2><div>Nós e os nossos parceiros armazenamos informações num dispositivo, tais como identificadores únicos.</div></div><div class="qc-cmp2-summary-buttons"><button mode="secondary" size="large">MAIS OPÇÕES</button><button mode="secondary" class="nao">DISCORDO</button><button mode="primary" class="sim">CONCORDO</button></div></div></div></div></div><script>for (const [c, choice] of [['nao', 'reject'], ['sim', 'accept']]) document.querySelector('.' + c).onclick = () => { window.choice = choice; document.getElementById('qc-cmp2-container').remove(); };</script>`,
    head: '<style>.qc-cmp-cleanslate{position:fixed;inset:0;background:rgba(0,0,0,.5);z-index:2147483646;display:flex;align-items:center;justify-content:center}#qc-cmp2-ui{background:#fff;width:640px;padding:24px}</style>',
    gone: ['#qc-cmp2-ui', '.qc-cmp-cleanslate'],
    choice: 'reject',
  },
]);

/** Nothing on these pages may go: written with the second modals. */
export const SECOND_TRAPS = buildPages([
  {
    name: 'de: a law about consent, explained, with its contents at the side',
    body: `<div class="inhalt"><a href="#1">Einwilligung</a><a href="#2">Cookies</a><a href="#3">Ablehnen</a><a href="#4">Akzeptieren</a></div><main><h1>Was die Einwilligung in Cookies bedeutet</h1>${'<p>Webseiten verwenden Cookies, und der Nutzer muss alle ablehnen können, so leicht wie er sie akzeptiert.</p>'.repeat(14)}</main>`,
    head: '<style>.inhalt{position:fixed;left:0;top:80px;width:200px;background:#fafafa;z-index:10}.inhalt a{display:block}main{margin-left:240px!important}</style>',
    stays: ['.inhalt', '.inhalt a', 'main'],
  },
  {
    name: 'en: the search of a manual, opened over it',
    over: `<div class="DocSearch DocSearch-Container" role="button" tabindex="0"><div class="DocSearch-Modal"><header class="DocSearch-SearchBar"><form class="DocSearch-Form"><input class="DocSearch-Input" placeholder="Search docs" type="text"></form><button class="DocSearch-Cancel" type="reset">Cancel</button></header><div class="DocSearch-Dropdown"><p>Recent</p><ul><li><a href="/install">Install the app</a></li><li><a href="/notify">Enable notifications</a></li><li><a href="/consent">Cookie consent</a></li></ul></div></div></div><script>document.body.classList.add('DocSearch--active'); document.body.style.overflow = 'hidden'</script>`,
    head: '<style>.DocSearch-Container{position:fixed;inset:0;background:rgba(101,108,133,.8);z-index:200}.DocSearch-Modal{margin:60px auto;width:560px;background:#f5f6f7;padding:12px}</style>',
    stays: ['.DocSearch-Container', '.DocSearch-Modal', '.DocSearch-Dropdown li', 'main'],
  },
  {
    name: 'es: of age, for wine',
    over: `<div id="edad"><div class="caja"><img alt="Bodega" src="${PICTURE}" width="120" height="80"><h2>¿Tienes la edad legal para beber alcohol en tu país?</h2><a href="#si" class="boton">Sí, la tengo</a><a href="https://example.com/" class="boton">No</a><small>Al entrar aceptas nuestra política de cookies.</small></div></div>`,
    head: '<style>#edad{position:fixed;inset:0;background:rgba(60,0,20,.96);z-index:100000;display:flex;align-items:center;justify-content:center}.caja{background:#fff;padding:40px;text-align:center}.boton{display:inline-block;padding:8px 24px;border:1px solid}</style>',
    stays: ['#edad', '.caja', 'main'],
  },
  {
    name: 'fr: a page to subscribe to a letter, and nothing else',
    body: `<div class="fond"></div><div class="carte" style="position:fixed;left:30%;top:18%;width:40%;background:#fff;padding:32px;z-index:5"><h1>La lettre du fleuve</h1><p>Chaque vendredi, une histoire d’eau. Inscrivez-vous à la newsletter : c’est gratuit.</p><form><input type="email" placeholder="Votre adresse e-mail"><button>Je m’inscris</button></form><p>Déjà 4 000 lecteurs.</p></div>`,
    head: '<style>.fond{position:fixed;inset:0;background:rgba(0,60,90,.6)}</style>',
    stays: ['.fond', '.carte', '.carte form'],
  },
  {
    name: 'sv: days of a journey, chosen in a popover',
    over: `<div popover="manual" id="datum" aria-label="Välj datum"><button aria-label="Föregående månad">‹</button> november <button aria-label="Nästa månad">›</button><table>${`<tr>${'<td><button>7</button></td>'.repeat(7)}</tr>`.repeat(5)}</table><button class="klar">Klar</button><button aria-label="Stäng">×</button></div><script>document.getElementById('datum').showPopover()</script>`,
    stays: ['#datum', '#datum td', 'main'],
  },
  {
    name: 'en: an office suite, with a comment and a toolbar floating',
    body: `<div id="app"><div class="topbar">Report — saved <button>Share</button><button>File</button></div><div class="floating-toolbar" role="toolbar"><button>B</button><button>I</button><button aria-label="Close">×</button></div><div class="comment"><b>Maria</b> <span>2 min</span><p>Do we accept the new terms? I would decline.</p><button>Reply</button> <button>Resolve</button></div><main class="sheet">${paragraphs('en', 10)}</main></div>`,
    head: '<style>.topbar{position:fixed;top:0;left:0;right:0;height:44px;background:#fff;z-index:1200}.floating-toolbar{position:fixed;left:40%;top:60px;background:#fff;z-index:1201;box-shadow:0 1px 5px #0006}.comment{position:absolute;right:12px;top:160px;width:240px;background:#fff8c6;padding:12px;z-index:1100}.sheet{margin-top:90px!important}</style>',
    stays: ['.topbar', '.floating-toolbar', '.comment', 'main'],
  },
  {
    name: 'pl: radio at the foot of the page, with what is played',
    over: `<div id="odtwarzacz"><img src="${PICTURE}" width="48" height="48" alt=""><button aria-label="Odtwarzaj">▶</button><span>Na żywo: Poranek nad rzeką</span><button aria-label="Głośność">♪</button><button aria-label="Zamknij">×</button><a href="/app">Słuchaj w aplikacji</a></div>`,
    head: '<style>#odtwarzacz{position:fixed;left:0;right:0;bottom:0;height:64px;background:#111;color:#fff;z-index:9000;display:flex;gap:16px;align-items:center}</style>',
    stays: ['#odtwarzacz', 'main'],
  },
  {
    name: 'ja: what was ordered, said in a corner',
    over: `<div class="Toastify"><div class="toast" role="alert"><span>カートに追加しました：長靴 (25cm) ¥3,980 10%OFF</span><button aria-label="閉じる">✕</button><a href="/cart">カートを見る</a></div></div>`,
    head: '<style>.toast{position:fixed;top:16px;right:16px;width:320px;background:#fff;padding:14px;z-index:9999;box-shadow:0 2px 12px #0004}</style>',
    stays: ['.toast', 'main'],
  },
  {
    name: 'it: a warning of the weather, fixed at the head',
    over: `<div class="allerta"><strong>Allerta rossa</strong> Scuole chiuse venerdì in tutta la provincia. <a href="/allerta">Leggi le istruzioni</a><button aria-label="Chiudi avviso">×</button></div>`,
    head: '<style>.allerta{position:fixed;top:0;left:0;right:0;background:#b00020;color:#fff;padding:12px;z-index:3000}</style>',
    stays: ['.allerta', 'main'],
  },
  {
    name: 'ru: a check that the visitor is no machine',
    body: `<div class="shade"></div><div class="captcha" role="dialog"><h2>Подтвердите, что вы не робот</h2><p>Мы заметили необычный трафик. Нажмите, чтобы продолжить.</p><label><input type="checkbox"> Я не робот</label><p>Обработка персональных данных: <a href="/privacy">политика</a></p></div>`,
    head: '<style>.shade{position:fixed;inset:0;background:#eee}.captcha{position:fixed;left:35%;top:30%;width:30%;background:#fff;padding:24px}</style>',
    stays: ['.shade', '.captcha'],
  },
  {
    name: 'tr: which language and which money, chosen by the visitor',
    over: `<div class="ortu"></div><div class="secici" role="dialog" aria-modal="true" aria-label="Dil ve para birimi"><button aria-label="Kapat">×</button><h2>Dil</h2><ul>${['Türkçe', 'English', 'Deutsch', 'Français', 'العربية', '日本語'].map((name) => `<li><button>${name}</button></li>`).join('')}</ul><h2>Para birimi</h2><ul><li><button>₺ TRY</button></li><li><button>€ EUR</button></li></ul></div>`,
    head: '<style>.ortu{position:fixed;inset:0;background:#0008;z-index:400}.secici{position:fixed;left:30%;top:10%;width:40%;background:#fff;padding:20px;z-index:401}</style>',
    stays: ['.ortu', '.secici', '.secici li', 'main'],
  },
  {
    name: 'nl: slides that fill the window',
    body: `<div class="reveal"><div class="slides"><section class="nu"><h2>Cookies en toestemming</h2><p>Wij gebruiken cookies. Accepteren of weigeren?</p><ul><li>Wet van 2012</li><li>Toezicht</li></ul></section></div><div class="controls"><button aria-label="vorige">‹</button><button aria-label="volgende">›</button></div><div class="progress"></div></div>`,
    head: '<style>.reveal{position:fixed;inset:0;background:#fff;overflow:hidden}.slides{position:absolute;inset:10%;z-index:1}.controls{position:absolute;right:12px;bottom:12px;z-index:11}html,body{overflow:hidden;height:100%}</style>',
    stays: ['.reveal', '.nu', '.controls'],
  },
  {
    name: 'pt: a recipe cut short, with a button to see it all',
    over: `<section class="dicas"><div class="texto">${paragraphs('pt', 3)}</div><div class="mais"><button>Ler mais</button></div></section>`,
    head: '<style>.texto{max-height:90px;overflow:hidden;-webkit-mask-image:linear-gradient(#000,transparent)}</style>',
    stays: ['.mais', '.mais button', 'main'],
  },
  {
    name: 'hu: a photograph of a product, enlarged, with its price',
    over: `<div class="nagyito"><div class="hatter"></div><div class="kep"><img src="${PICTURE}" width="700" height="440" alt="Gumicsizma"><p>Gumicsizma, 12 990 Ft, most 20% kedvezmény</p><button aria-label="Bezárás">×</button><button>Kosárba</button></div></div>`,
    head: '<style>.hatter{position:fixed;inset:0;background:rgba(0,0,0,.7);z-index:1000}.kep{position:fixed;left:20%;top:8%;width:60%;background:#fff;z-index:1001;text-align:center}</style>',
    stays: ['.hatter', '.kep', '.kep img', 'main'],
  },
]);
