import { buildPages, html, paragraphs } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='640' height='420'><rect width='640' height='420' fill='olive'/></svg>";

/** What publishers, shops and offices of other countries put over their pages: written before anyone looked at how modals are told. */
export const FIRST_MODALS = buildPages([
  {
    name: 'sv: the ids of OneTrust, a bar at the foot',
    over: `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter ot-fade-in"></div><div id="onetrust-banner-sdk" class="otFlat bottom" tabindex="0" role="region" aria-label="Cookie-banner"><div class="ot-sdk-container"><div id="onetrust-group-container"><h2 id="onetrust-policy-title">Vi bryr oss om din integritet</h2><div id="onetrust-policy-text">Tidningen och våra samarbetspartner lagrar uppgifter på din enhet för att mäta och förbättra sidorna.</div></div><div id="onetrust-button-group-parent"><div id="onetrust-button-group"><button id="onetrust-pc-btn-handler">Inställningar</button><button id="onetrust-reject-all-handler">Avvisa alla</button><button id="onetrust-accept-btn-handler">Tillåt alla</button></div></div></div></div></div>
      <script>const end = (choice) => () => { window.choice = choice; document.getElementById('onetrust-consent-sdk').remove(); }; document.getElementById('onetrust-reject-all-handler').onclick = end('reject'); document.getElementById('onetrust-accept-btn-handler').onclick = end('accept');</script>`,
    head: '<style>.onetrust-pc-dark-filter{position:fixed;inset:0;background:rgba(0,0,0,.5);z-index:2147483644}#onetrust-banner-sdk{position:fixed;bottom:0;left:0;right:0;background:#fff;padding:20px;z-index:2147483645}</style>',
    gone: ['#onetrust-banner-sdk', '.onetrust-pc-dark-filter'],
    choice: 'reject',
  },
  {
    name: 'cs: a card of an office, all its style in classes, no role',
    over: `<section class="c-lista"><div class="c-lista__obsah"><strong>Pár slov o souborech cookie</strong><p>Bez některých by web nefungoval, jiné nám pomáhají zjistit, co tu hledáte.</p></div><div class="c-lista__akce"><a href="#" class="c-btn c-btn--plny">Souhlasím se vším</a><a href="#" class="c-btn">Jen nezbytné</a></div></section>
      <script>document.querySelectorAll('.c-btn').forEach((a, i) => a.addEventListener('click', (e) => { e.preventDefault(); window.choice = i ? 'reject' : 'accept'; document.querySelector('.c-lista').classList.add('pryc'); }));</script>`,
    head: '<style>.c-lista{position:fixed;left:16px;bottom:16px;width:380px;background:#fff;box-shadow:0 2px 18px #0006;padding:20px;border-radius:6px;z-index:30}.c-lista.pryc{display:none}.c-btn{display:inline-block;padding:8px 12px;border:1px solid}</style>',
    gone: ['.c-lista'],
    choice: 'reject',
  },
  {
    name: 'fi: Usercentrics, in its shadow',
    over: `<div id="usercentrics-root"></div><script>const host = document.getElementById('usercentrics-root'); const root = host.attachShadow({ mode: 'open' });
      root.innerHTML = '<style>.uc-bg{position:fixed;inset:0;background:#0008;z-index:99999}.uc-box{position:fixed;left:50%;top:50%;transform:translate(-50%,-50%);width:600px;background:#fff;padding:24px;z-index:100000}</style><div class="uc-bg" data-testid="uc-overlay"></div><div class="uc-box" data-testid="uc-default-wall" role="dialog" aria-modal="true"><h2>Yksityisyytesi</h2><p>Käytämme evästeitä ja vastaavia tekniikoita mainonnan mittaamiseen.</p><button data-testid="uc-accept-all-button">Hyväksy kaikki</button><button data-testid="uc-deny-all-button">Hylkää kaikki</button><button data-testid="uc-more-button">Lisätietoja</button></div>';
      root.querySelector('[data-testid=uc-deny-all-button]').onclick = () => { window.choice = 'reject'; root.innerHTML = ''; document.documentElement.style.overflow = ''; };
      root.querySelector('[data-testid=uc-accept-all-button]').onclick = () => { window.choice = 'accept'; root.innerHTML = ''; };
      document.documentElement.style.overflow = 'hidden';</script>`,
    gone: ['#usercentrics-root >>> .uc-box', '#usercentrics-root >>> .uc-bg'],
    choice: 'reject',
    scrolls: true,
  },
  {
    name: 'ko: the frame of another host over the page, which is locked',
    over: `<div id="sp_message_container_884"><iframe id="sp_message_iframe_884" title="개인정보" src="{other}/frame"></iframe></div><script>document.documentElement.className = 'sp-message-open'</script>`,
    head: '<style>.sp-message-open,.sp-message-open body{overflow:hidden;position:fixed;width:100%}#sp_message_container_884{position:fixed;inset:0;z-index:2147483647;background:rgba(0,0,0,.4)}#sp_message_container_884 iframe{width:100%;height:100%;border:0}</style>',
    frame: html(
      'ko',
      `<div class="message" style="margin:120px auto;width:560px;background:#fff;padding:30px"><p>당사와 파트너는 기기의 정보를 저장하고 이용합니다. 언제든지 선택을 바꿀 수 있습니다.</p><button title="모두 동의">모두 동의</button><button title="설정">설정</button></div>`,
    ),
    gone: ['#sp_message_container_884', '#sp_message_iframe_884'],
    scrolls: true,
  },
  {
    name: 'hu: a newsletter in a dialog of the browser, after a while',
    over: `<dialog class="hirlevel"><form method="dialog"><button value="x" class="bezar" aria-label="Bezárás">✕</button></form><h2>Ne maradj le!</h2><p>Iratkozz fel hírlevelünkre, hetente egyszer írunk.</p><form action="/feliratkozas"><input type="email" name="email" placeholder="E-mail címed"><button>Feliratkozom</button></form></dialog><script>addEventListener('load', () => setTimeout(() => document.querySelector('.hirlevel').showModal(), 200))</script>`,
    head: '<style>.hirlevel::backdrop{background:rgba(0,0,0,.7)}</style>',
    gone: ['.hirlevel'],
    late: true,
  },
  {
    name: 'ru: a notice in a popover',
    over: `<div popover="manual" id="plashka"><p>Продолжая пользоваться сайтом, вы соглашаетесь с обработкой файлов cookie.</p><button>Хорошо</button></div><script>document.getElementById('plashka').showPopover(); document.querySelector('#plashka button').onclick = () => { window.choice = 'accept'; document.getElementById('plashka').hidePopover(); }</script>`,
    head: '<style>#plashka{inset:auto 0 0 0;width:100%;border:0;background:#222;color:#fff;padding:16px;box-sizing:border-box}</style>',
    gone: ['#plashka'],
  },
  {
    name: 'no: an article cut off, with the offer in the flow',
    body: `<header><nav><a href="/">Nyheter</a> <a href="/sport">Sport</a></nav></header><main><h1>Flommen i dalen</h1><article><p class="lead">Elva steg raskt.</p><div class="artikkel-kropp is-locked">${paragraphs('no', 6)}<p class="siste">Til slutt sank vannet.</p></div><aside class="betalingsmur"><h3>Les videre med abonnement</h3><p>Få tilgang til alle saker. Første måned 1 krone, deretter 249 kr.</p><a class="knapp" href="/kjop">Bli abonnent</a><p>Allerede abonnent? <a href="/logginn">Logg inn</a></p></aside></article></main><footer>Ansvarlig redaktør: A. Hansen</footer>`,
    head: '<style>.is-locked{max-height:220px;overflow:hidden;position:relative;-webkit-mask-image:linear-gradient(#000,transparent)}.betalingsmur{background:#fff7e0;padding:24px;text-align:center}</style>',
    gone: ['.betalingsmur'],
    stays: ['main', '.lead', '.siste', 'header', 'footer'],
  },
  {
    name: 'pt: an offer that slides into the corner',
    over: `<div class="slidein" id="cartao"><span class="x">×</span><img alt="" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='300' height='90'/>"><b>Ganhe 10% na primeira compra</b><p>Deixe seu e-mail e receba o cupom na hora.</p><input type="email" placeholder="Seu melhor e-mail"><button class="quero">Quero meu cupom</button></div><script>addEventListener('load', () => setTimeout(() => document.getElementById('cartao').classList.add('vem'), 200)); document.querySelector('.x').onclick = () => document.getElementById('cartao').classList.remove('vem');</script>`,
    head: '<style>.slidein{position:fixed;right:20px;bottom:20px;width:300px;background:#fff;border:1px solid #ccc;padding:16px;z-index:9000;visibility:hidden}.slidein.vem{visibility:visible}.x{float:right;cursor:pointer;font-size:22px}</style>',
    gone: ['.slidein'],
    late: true,
  },
  {
    name: 'tr: an app is to be installed, above the header',
    head: '<style>.appbar{position:sticky;top:0;display:flex;gap:12px;background:#f7f7f7;padding:8px;z-index:100;border-bottom:1px solid #ddd}.appbar .ikon{width:44px;height:44px;background:crimson;border-radius:10px}</style>',
    replaces: '<header>',
    by: `<div class="appbar"><a class="kapat" role="button">✕</a><div class="ikon"></div><div><b>Haberler cebinde</b><br><small>Uygulamada daha hızlı · ★★★★☆</small></div><a class="indir" href="https://play.google.com/store/apps/details?id=tr.haber">Uygulamayı indir</a></div><header>`,
    gone: ['.appbar'],
  },
  {
    name: 'ro: Klaro, without a refusal on its face',
    over: `<div id="klaro" class="klaro"><div class="cookie-notice" role="dialog"><div class="cn-body"><p id="id-cookie-notice">Bună! Am putea activa câteva servicii în plus pentru statistică? Vă puteți schimba oricând alegerea.</p><div class="cn-ok"><a href="#" class="cm-link cn-learn-more">Lasă-mă să aleg</a><div class="cn-buttons"><button type="button" class="cm-btn cm-btn-success">E în regulă</button></div></div></div></div></div><script>document.querySelector('.cm-btn-success').onclick = () => { window.choice = 'accept'; }</script>`,
    head: '<style>.cookie-notice{position:fixed;right:20px;bottom:20px;max-width:400px;background:#333;color:#eee;padding:16px;z-index:1000}</style>',
    gone: ['.cookie-notice'],
  },
  {
    name: 'uk: Complianz, at the foot',
    over: `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-show banner-1 optin cmplz-bottom-right" aria-modal="true" role="dialog" aria-live="polite"><div class="cmplz-header"><div class="cmplz-title">Керування згодою</div><div class="cmplz-close" tabindex="0" role="button" aria-label="Закрити">×</div></div><div class="cmplz-body"><div class="cmplz-message">Щоб сайт працював зручно, ми зберігаємо відомості на вашому пристрої.</div></div><div class="cmplz-buttons"><button class="cmplz-btn cmplz-accept">Прийняти</button><button class="cmplz-btn cmplz-deny">Відмовити</button><button class="cmplz-btn cmplz-view-preferences">Налаштування</button></div></div></div>
      <script>for (const c of ['accept', 'deny']) document.querySelector('.cmplz-' + c).onclick = () => { window.choice = c; document.querySelector('.cmplz-cookiebanner').style.display = 'none'; }</script>`,
    head: '<style>.cmplz-cookiebanner{position:fixed;right:10px;bottom:10px;width:480px;background:#fff;padding:16px;z-index:99999;box-shadow:0 0 9px #0005}</style>',
    gone: ['.cmplz-cookiebanner'],
    choice: 'deny',
  },
  {
    name: 'ar: may we send you news, from the right',
    over: `<div dir="rtl" class="wp-push"><p>هل ترغب في تلقي إشعارات بآخر الأخبار؟</p><button class="later">لاحقا</button><button class="allow">السماح</button></div><script>document.querySelector('.allow').onclick = () => { window.choice = 'accept'; }; document.querySelector('.later').onclick = () => document.querySelector('.wp-push').remove();</script>`,
    head: '<style>.wp-push{position:fixed;top:0;left:50%;transform:translateX(-50%);width:420px;background:#fff;padding:16px;z-index:999999;box-shadow:0 3px 12px #0005}</style>',
    gone: ['.wp-push'],
  },
]);

/** Nothing on these pages may go: written before anyone looked at how modals are told. */
export const FIRST_TRAPS = buildPages([
  {
    name: 'it: an article on the cookies of the site, with its buttons',
    body: `<header class="testa" style="position:sticky;top:0;z-index:500;background:#fff"><nav><a href="/">Home</a> <a href="/privacy">Privacy</a></nav></header><main><h1>Informativa sui cookie</h1><p>Questo sito utilizza cookie tecnici e, con il tuo consenso, cookie di profilazione.</p>${paragraphs('it', 5)}<section class="preferenze"><h2>Le tue scelte</h2><p>Qui puoi cambiare il consenso ai cookie.</p><label><input type="checkbox"> Statistiche</label> <button>Rifiuta tutto</button> <button>Accetta tutto</button></section>${paragraphs('it', 3)}</main>`,
    stays: ['.testa', 'main', '.preferenze', '.preferenze button'],
  },
  {
    name: 'en: a shop that sells cookies, with its bar to buy them',
    body: `<header style="position:sticky;top:0;background:#fff;z-index:40"><nav><a href="/">Crumb & Co</a> <a href="/cookies">All cookies</a></nav></header><main><img src="${PICTURE}" alt=""><h1>Chocolate chip cookies, box of twelve</h1><p>We use real butter in our cookies, and no preservatives. Accept no substitutes.</p>${paragraphs('en', 5)}</main><div class="buybar" style="position:fixed;bottom:0;left:0;right:0;background:#fff;padding:12px;z-index:60;box-shadow:0 -2px 8px #0003"><b>Chocolate chip cookies</b> <span>£14.00</span> <button>Add to basket</button> <button aria-label="Save cookies for later">♡</button></div>`,
    stays: ['header', 'main', '.buybar', '.buybar button'],
  },
  {
    name: 'tr: the login of an office, over a picture',
    body: `<div class="bg"></div><div class="perde"></div><div class="giris"><h1>e-Belediye</h1><form action="/giris" method="post"><input name="tc" placeholder="T.C. kimlik no"><input type="password" placeholder="Şifre"><button>Giriş yap</button></form><p>Bu site oturum için çerez kullanır.</p><a href="/unuttum">Şifremi unuttum</a></div>`,
    head: '<style>.bg{position:fixed;inset:0;background:#8ab}.perde{position:fixed;inset:0;background:#0007}.giris{position:fixed;left:50%;top:50%;transform:translate(-50%,-50%);width:360px;background:#fff;padding:30px;z-index:20}</style>',
    stays: ['.bg', '.perde', '.giris', '.giris form'],
  },
  {
    name: 'cs: a question for the age',
    over: `<div class="vek"><div class="vek__box"><h2>Je vám už 18 let?</h2><p>Na této stránce nabízíme alkoholické nápoje.</p><button>Ano, je mi více než 18</button> <button>Ne</button></div></div>`,
    head: '<style>.vek{position:fixed;inset:0;background:rgba(20,0,0,.9);z-index:9999;display:grid;place-items:center}.vek__box{background:#fff;padding:40px}</style>',
    stays: ['.vek', '.vek__box', 'main'],
  },
  {
    name: 'ru: a chat of another host, with what it says first',
    over: `<div class="jivo-wrap"><div class="privet"><button aria-label="Закрыть">×</button>Здравствуйте! Чем могу помочь?</div><iframe class="chat" title="Чат с оператором" src="{other}/frame"></iframe></div>`,
    head: '<style>.jivo-wrap{position:fixed;right:20px;bottom:20px;width:320px;z-index:2147483000}.chat{width:320px;height:360px;border:0;box-shadow:0 2px 10px #0006}.privet{background:#fff;padding:10px;border:1px solid #ccc}</style>',
    frame: html(
      'ru',
      '<div style="padding:12px"><b>Ольга</b><p>Напишите нам, мы ответим за минуту.</p><input placeholder="Ваше сообщение"><button>Отправить</button></div>',
    ),
    stays: ['.jivo-wrap', '.chat', '.privet', 'main'],
  },
  {
    name: 'sv: the way to pay, in a drawer',
    over: `<div class="overlay"></div><aside class="kassa" role="dialog" aria-modal="true" aria-label="Kassa"><button class="stang" aria-label="Stäng">×</button><h2>Din varukorg (2)</h2><ul><li>Gummistövlar 499 kr <button>Ta bort</button></li><li>Regnrock 899 kr <button>Ta bort</button></li></ul><label>E-post <input type="email"></label><label><input type="checkbox"> Ja tack, jag vill ha nyhetsbrevet</label><p>Fri frakt över 1000 kr!</p><button class="betala">Till betalning</button></aside><script>document.body.style.overflow = 'hidden'</script>`,
    head: '<style>.overlay{position:fixed;inset:0;background:#0006;z-index:900}.kassa{position:fixed;right:0;top:0;bottom:0;width:400px;background:#fff;z-index:901;padding:20px}</style>',
    stays: ['.overlay', '.kassa', '.betala', 'main'],
  },
  {
    name: 'fi: a picture opened in a dialog of the browser',
    over: `<dialog class="kuva"><button aria-label="Sulje">×</button><figure><img src="${PICTURE}" alt="Niityt"><figcaption>Niityt tulvan jälkeen, 3/14</figcaption></figure><button aria-label="Edellinen">‹</button><button aria-label="Seuraava">›</button></dialog><script>document.querySelector('.kuva').showModal()</script>`,
    stays: ['.kuva', '.kuva img', '.kuva figcaption', 'main'],
  },
  {
    name: 'ko: a film that goes on in the corner',
    over: `<div class="mini"><button class="close" aria-label="닫기">✕</button><video controls muted width="320" height="180"></video><p>홍수 현장 영상 · 구독하기</p></div>`,
    head: '<style>.mini{position:fixed;right:16px;bottom:16px;width:320px;background:#000;color:#fff;z-index:5000}</style>',
    stays: ['.mini', '.mini video', 'main'],
  },
  {
    name: 'no: a map with a panel to search it',
    body: `<div id="kart"><canvas width="1280" height="720"></canvas></div><div class="panel"><input placeholder="Søk etter sted"><button>Søk</button><ul><li>Bergen sentrum</li><li>Os</li></ul><button class="lukk" aria-label="Lukk">×</button></div><div class="zoom"><button>+</button><button>−</button></div>`,
    head: '<style>#kart{position:fixed;inset:0;background:#cfe3d0}.panel{position:absolute;left:12px;top:12px;width:340px;background:#fff;z-index:1200;padding:12px;box-shadow:0 1px 6px #0005}.zoom{position:absolute;right:12px;bottom:12px;z-index:1200}</style>',
    stays: ['#kart', '.panel', '.zoom'],
  },
  {
    name: 'hu: the menu of languages, opened by the visitor',
    over: `<div popover id="nyelvek"><ul><li><a href="/hu" lang="hu">Magyar</a></li><li><a href="/de" lang="de">Deutsch</a></li><li><a href="/en" lang="en">English</a></li><li><a href="/sk" lang="sk">Slovenčina</a></li></ul></div><script>document.getElementById('nyelvek').showPopover()</script>`,
    head: '<style>#nyelvek{inset:40px 20px auto auto;width:180px}</style>',
    stays: ['#nyelvek', '#nyelvek a', 'main'],
  },
  {
    name: 'el: a question that the page is about',
    over: `<dialog class="erotisi" aria-labelledby="t"><h2 id="t">Ακύρωση κράτησης;</h2><p>Η κράτηση 5521 για δύο άτομα θα ακυρωθεί και τα χρήματα θα επιστραφούν σε πέντε ημέρες.</p><form method="dialog"><button value="no">Όχι, πίσω</button><button value="yes">Ναι, ακύρωση</button></form></dialog><script>document.querySelector('.erotisi').showModal()</script>`,
    stays: ['.erotisi', '.erotisi p', 'main'],
  },
  {
    name: 'uk: a header with a menu that is open, and a button to subscribe',
    over: `<div class="mega"><div><b>Новини</b><a href="/1">Місто</a><a href="/2">Область</a></div><div><b>Культура</b><a href="/3">Театр</a><a href="/4">Кіно</a></div><a class="sub" href="/peredplata">Передплатити</a></div>`,
    head: '<style>header{position:fixed;top:0;left:0;right:0;z-index:1000}main{padding-top:80px}.mega{position:fixed;top:56px;left:0;right:0;background:#fff;z-index:999;display:flex;gap:40px;padding:24px;box-shadow:0 4px 12px #0004}.mega a{display:block}</style>',
    stays: ['.mega', '.mega a', 'header', 'main'],
  },
]);
