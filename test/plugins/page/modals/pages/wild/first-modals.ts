import { article, html, paragraphs, type ModalPage } from '../page.js';

const ARTICLE = ['main', 'article p', 'header', 'footer'];

/** What publishers, shops and offices of other countries put over their pages: written before anyone looked at how modals are told. */
export const FIRST_MODALS: readonly ModalPage[] = [
  {
    name: 'sv: the ids of OneTrust, a bar at the foot',
    html: article(
      'sv',
      `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter ot-fade-in"></div><div id="onetrust-banner-sdk" class="otFlat bottom" tabindex="0" role="region" aria-label="Cookie-banner"><div class="ot-sdk-container"><div id="onetrust-group-container"><h2 id="onetrust-policy-title">Vi bryr oss om din integritet</h2><div id="onetrust-policy-text">Tidningen och våra samarbetspartner lagrar uppgifter på din enhet för att mäta och förbättra sidorna.</div></div><div id="onetrust-button-group-parent"><div id="onetrust-button-group"><button id="onetrust-pc-btn-handler">Inställningar</button><button id="onetrust-reject-all-handler">Avvisa alla</button><button id="onetrust-accept-btn-handler">Tillåt alla</button></div></div></div></div></div>
      <script>const end = (choice) => () => { window.choice = choice; document.getElementById('onetrust-consent-sdk').remove(); }; document.getElementById('onetrust-reject-all-handler').onclick = end('reject'); document.getElementById('onetrust-accept-btn-handler').onclick = end('accept');</script>`,
      '<style>.onetrust-pc-dark-filter{position:fixed;inset:0;background:rgba(0,0,0,.5);z-index:2147483644}#onetrust-banner-sdk{position:fixed;bottom:0;left:0;right:0;background:#fff;padding:20px;z-index:2147483645}</style>',
    ),
    gone: ['#onetrust-banner-sdk', '.onetrust-pc-dark-filter'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'cs: a card of an office, all its style in classes, no role',
    html: article(
      'cs',
      `<section class="c-lista"><div class="c-lista__obsah"><strong>Pár slov o souborech cookie</strong><p>Bez některých by web nefungoval, jiné nám pomáhají zjistit, co tu hledáte.</p></div><div class="c-lista__akce"><a href="#" class="c-btn c-btn--plny">Souhlasím se vším</a><a href="#" class="c-btn">Jen nezbytné</a></div></section>
      <script>document.querySelectorAll('.c-btn').forEach((a, i) => a.addEventListener('click', (e) => { e.preventDefault(); window.choice = i ? 'reject' : 'accept'; document.querySelector('.c-lista').classList.add('pryc'); }));</script>`,
      '<style>.c-lista{position:fixed;left:16px;bottom:16px;width:380px;background:#fff;box-shadow:0 2px 18px #0006;padding:20px;border-radius:6px;z-index:30}.c-lista.pryc{display:none}.c-btn{display:inline-block;padding:8px 12px;border:1px solid}</style>',
    ),
    gone: ['.c-lista'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'fi: Usercentrics, in its shadow',
    html: article(
      'fi',
      `<div id="usercentrics-root"></div><script>const host = document.getElementById('usercentrics-root'); const root = host.attachShadow({ mode: 'open' });
      root.innerHTML = '<style>.uc-bg{position:fixed;inset:0;background:#0008;z-index:99999}.uc-box{position:fixed;left:50%;top:50%;transform:translate(-50%,-50%);width:600px;background:#fff;padding:24px;z-index:100000}</style><div class="uc-bg" data-testid="uc-overlay"></div><div class="uc-box" data-testid="uc-default-wall" role="dialog" aria-modal="true"><h2>Yksityisyytesi</h2><p>Käytämme evästeitä ja vastaavia tekniikoita mainonnan mittaamiseen.</p><button data-testid="uc-accept-all-button">Hyväksy kaikki</button><button data-testid="uc-deny-all-button">Hylkää kaikki</button><button data-testid="uc-more-button">Lisätietoja</button></div>';
      root.querySelector('[data-testid=uc-deny-all-button]').onclick = () => { window.choice = 'reject'; root.innerHTML = ''; document.documentElement.style.overflow = ''; };
      root.querySelector('[data-testid=uc-accept-all-button]').onclick = () => { window.choice = 'accept'; root.innerHTML = ''; };
      document.documentElement.style.overflow = 'hidden';</script>`,
    ),
    gone: ['#usercentrics-root >>> .uc-box', '#usercentrics-root >>> .uc-bg'],
    stays: ARTICLE,
    choice: 'reject',
    scrolls: true,
  },
  {
    name: 'ko: the frame of another host over the page, which is locked',
    html: article(
      'ko',
      `<div id="sp_message_container_884"><iframe id="sp_message_iframe_884" title="개인정보" src="{other}/frame"></iframe></div><script>document.documentElement.className = 'sp-message-open'</script>`,
      '<style>.sp-message-open,.sp-message-open body{overflow:hidden;position:fixed;width:100%}#sp_message_container_884{position:fixed;inset:0;z-index:2147483647;background:rgba(0,0,0,.4)}#sp_message_container_884 iframe{width:100%;height:100%;border:0}</style>',
    ),
    frame: html(
      'ko',
      `<div class="message" style="margin:120px auto;width:560px;background:#fff;padding:30px"><p>당사와 파트너는 기기의 정보를 저장하고 이용합니다. 언제든지 선택을 바꿀 수 있습니다.</p><button title="모두 동의">모두 동의</button><button title="설정">설정</button></div>`,
    ),
    gone: ['#sp_message_container_884', '#sp_message_iframe_884'],
    stays: ARTICLE,
    scrolls: true,
  },
  {
    name: 'hu: a newsletter in a dialog of the browser, after a while',
    html: article(
      'hu',
      `<dialog class="hirlevel"><form method="dialog"><button value="x" class="bezar" aria-label="Bezárás">✕</button></form><h2>Ne maradj le!</h2><p>Iratkozz fel hírlevelünkre, hetente egyszer írunk.</p><form action="/feliratkozas"><input type="email" name="email" placeholder="E-mail címed"><button>Feliratkozom</button></form></dialog><script>addEventListener('load', () => setTimeout(() => document.querySelector('.hirlevel').showModal(), 200))</script>`,
      '<style>.hirlevel::backdrop{background:rgba(0,0,0,.7)}</style>',
    ),
    gone: ['.hirlevel'],
    stays: ARTICLE,
    late: true,
  },
  {
    name: 'ru: a notice in a popover',
    html: article(
      'ru',
      `<div popover="manual" id="plashka"><p>Продолжая пользоваться сайтом, вы соглашаетесь с обработкой файлов cookie.</p><button>Хорошо</button></div><script>document.getElementById('plashka').showPopover(); document.querySelector('#plashka button').onclick = () => { window.choice = 'accept'; document.getElementById('plashka').hidePopover(); }</script>`,
      '<style>#plashka{inset:auto 0 0 0;width:100%;border:0;background:#222;color:#fff;padding:16px;box-sizing:border-box}</style>',
    ),
    gone: ['#plashka'],
    stays: ARTICLE,
  },
  {
    name: 'no: an article cut off, with the offer in the flow',
    html: html(
      'no',
      `<header><nav><a href="/">Nyheter</a> <a href="/sport">Sport</a></nav></header><main><h1>Flommen i dalen</h1><article><p class="lead">Elva steg raskt.</p><div class="artikkel-kropp is-locked">${paragraphs('no', 6)}<p class="siste">Til slutt sank vannet.</p></div><aside class="betalingsmur"><h3>Les videre med abonnement</h3><p>Få tilgang til alle saker. Første måned 1 krone, deretter 249 kr.</p><a class="knapp" href="/kjop">Bli abonnent</a><p>Allerede abonnent? <a href="/logginn">Logg inn</a></p></aside></article></main><footer>Ansvarlig redaktør: A. Hansen</footer>`,
      '<style>.is-locked{max-height:220px;overflow:hidden;position:relative;-webkit-mask-image:linear-gradient(#000,transparent)}.betalingsmur{background:#fff7e0;padding:24px;text-align:center}</style>',
    ),
    gone: ['.betalingsmur'],
    stays: ['main', '.lead', '.siste', 'header', 'footer'],
  },
  {
    name: 'pt: an offer that slides into the corner',
    html: article(
      'pt',
      `<div class="slidein" id="cartao"><span class="x">×</span><img alt="" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='300' height='90'/>"><b>Ganhe 10% na primeira compra</b><p>Deixe seu e-mail e receba o cupom na hora.</p><input type="email" placeholder="Seu melhor e-mail"><button class="quero">Quero meu cupom</button></div><script>addEventListener('load', () => setTimeout(() => document.getElementById('cartao').classList.add('vem'), 200)); document.querySelector('.x').onclick = () => document.getElementById('cartao').classList.remove('vem');</script>`,
      '<style>.slidein{position:fixed;right:20px;bottom:20px;width:300px;background:#fff;border:1px solid #ccc;padding:16px;z-index:9000;visibility:hidden}.slidein.vem{visibility:visible}.x{float:right;cursor:pointer;font-size:22px}</style>',
    ),
    gone: ['.slidein'],
    stays: ARTICLE,
    late: true,
  },
  {
    name: 'tr: an app is to be installed, above the header',
    html: article(
      'tr',
      '',
      '<style>.appbar{position:sticky;top:0;display:flex;gap:12px;background:#f7f7f7;padding:8px;z-index:100;border-bottom:1px solid #ddd}.appbar .ikon{width:44px;height:44px;background:crimson;border-radius:10px}</style>',
    ).replace(
      '<header>',
      `<div class="appbar"><a class="kapat" role="button">✕</a><div class="ikon"></div><div><b>Haberler cebinde</b><br><small>Uygulamada daha hızlı · ★★★★☆</small></div><a class="indir" href="https://play.google.com/store/apps/details?id=tr.haber">Uygulamayı indir</a></div><header>`,
    ),
    gone: ['.appbar'],
    stays: ARTICLE,
  },
  {
    name: 'ro: Klaro, without a refusal on its face',
    html: article(
      'ro',
      `<div id="klaro" class="klaro"><div class="cookie-notice" role="dialog"><div class="cn-body"><p id="id-cookie-notice">Bună! Am putea activa câteva servicii în plus pentru statistică? Vă puteți schimba oricând alegerea.</p><div class="cn-ok"><a href="#" class="cm-link cn-learn-more">Lasă-mă să aleg</a><div class="cn-buttons"><button type="button" class="cm-btn cm-btn-success">E în regulă</button></div></div></div></div></div><script>document.querySelector('.cm-btn-success').onclick = () => { window.choice = 'accept'; }</script>`,
      '<style>.cookie-notice{position:fixed;right:20px;bottom:20px;max-width:400px;background:#333;color:#eee;padding:16px;z-index:1000}</style>',
    ),
    gone: ['.cookie-notice'],
    stays: ARTICLE,
  },
  {
    name: 'uk: Complianz, at the foot',
    html: article(
      'uk',
      `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-show banner-1 optin cmplz-bottom-right" aria-modal="true" role="dialog" aria-live="polite"><div class="cmplz-header"><div class="cmplz-title">Керування згодою</div><div class="cmplz-close" tabindex="0" role="button" aria-label="Закрити">×</div></div><div class="cmplz-body"><div class="cmplz-message">Щоб сайт працював зручно, ми зберігаємо відомості на вашому пристрої.</div></div><div class="cmplz-buttons"><button class="cmplz-btn cmplz-accept">Прийняти</button><button class="cmplz-btn cmplz-deny">Відмовити</button><button class="cmplz-btn cmplz-view-preferences">Налаштування</button></div></div></div>
      <script>for (const c of ['accept', 'deny']) document.querySelector('.cmplz-' + c).onclick = () => { window.choice = c; document.querySelector('.cmplz-cookiebanner').style.display = 'none'; }</script>`,
      '<style>.cmplz-cookiebanner{position:fixed;right:10px;bottom:10px;width:480px;background:#fff;padding:16px;z-index:99999;box-shadow:0 0 9px #0005}</style>',
    ),
    gone: ['.cmplz-cookiebanner'],
    stays: ARTICLE,
    choice: 'deny',
  },
  {
    name: 'ar: may we send you news, from the right',
    html: article(
      'ar',
      `<div dir="rtl" class="wp-push"><p>هل ترغب في تلقي إشعارات بآخر الأخبار؟</p><button class="later">لاحقا</button><button class="allow">السماح</button></div><script>document.querySelector('.allow').onclick = () => { window.choice = 'accept'; }; document.querySelector('.later').onclick = () => document.querySelector('.wp-push').remove();</script>`,
      '<style>.wp-push{position:fixed;top:0;left:50%;transform:translateX(-50%);width:420px;background:#fff;padding:16px;z-index:999999;box-shadow:0 3px 12px #0005}</style>',
    ),
    gone: ['.wp-push'],
    stays: ARTICLE,
  },
];
