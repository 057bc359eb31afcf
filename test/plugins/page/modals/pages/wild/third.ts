import { buildPages, html, paragraphs } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='560'><rect width='900' height='560' fill='slateblue'/></svg>";

/** A third look at what was learnt: languages and makers that were in neither of the others. */
export const THIRD_MODALS = buildPages([
  {
    name: 'he: a notice of a content system, with a cross and a word of consent',
    lang: 'ar',
    over: `<div dir="rtl" class="hfe-notice"><div class="hfe-notice__inner"><p>אנחנו משתמשים בעוגיות כדי לשפר את חוויית הגלישה. המשך שימוש באתר מהווה הסכמה.</p><a class="hfe-x" href="#"><i class="icon"></i></a><a class="hfe-ok" href="#">הבנתי</a></div></div><script>document.querySelector('.hfe-ok').onclick = () => { window.choice = 'accept'; }; document.querySelector('.hfe-x').onclick = () => { document.querySelector('.hfe-notice').hidden = true; };</script>`,
    head: '<style>.hfe-notice{position:fixed;bottom:0;inset-inline:0;background:#fff;border-top:1px solid #bbb;padding:16px;z-index:9998}.hfe-notice[hidden]{display:none}.hfe-x{position:absolute;left:12px;top:12px;width:16px;height:16px}.hfe-x .icon{display:inline-block;width:16px;height:16px;background:#888}</style>',
    gone: ['.hfe-notice'],
  },
  {
    name: 'bg: a box in the middle that hides behind no role, three answers',
    lang: 'ru',
    over: `<div id="__bisk"><div class="m"><h4>Бисквитки на сайта</h4><div class="t">Някои са нужни, за да работи сайтът. Другите ни помагат да го подобряваме. Вие решавате.</div><div class="r"><span class="b b1">Настройки</span><span class="b b2">Отхвърлям</span><span class="b b3">Приемам всички</span></div></div></div><script>document.querySelectorAll('.b').forEach((b, i) => b.addEventListener('click', () => { window.choice = ['settings', 'reject', 'accept'][i]; if (i) document.getElementById('__bisk').remove(); }));</script>`,
    head: '<style>#__bisk{position:fixed;inset:0;z-index:77777;background:rgba(0,0,0,.35)}#__bisk .m{position:absolute;left:50%;top:50%;transform:translate(-50%,-50%);background:#fff;width:460px;padding:22px}.b{cursor:pointer;display:inline-block;padding:8px 14px;border:1px solid #333;margin-right:8px}</style>',
    gone: ['#__bisk'],
    choice: 'reject',
  },
  {
    name: 'vi: a letter to subscribe to, in a frame of another host, some time after',
    lang: 'en',
    over: `<script>addEventListener('load', () => setTimeout(() => { const box = document.createElement('div'); box.id = 'ban-tin'; box.innerHTML = '<iframe src="{other}/frame"></iframe>'; document.body.append(box); }, 150))</script>`,
    head: '<style>#ban-tin{position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:12345}#ban-tin iframe{position:absolute;left:30%;top:20%;width:40%;height:320px;border:0;background:#fff}</style>',
    frame: html(
      'vi',
      '<div style="padding:20px"><h2>Nhận tin mỗi tuần</h2><p>Để lại địa chỉ, chúng tôi sẽ gửi bài hay nhất cho bạn.</p><form><input type="email" placeholder="Email của bạn"><button>Đăng ký</button></form><button>Không, cảm ơn</button></div>',
    ),
    gone: ['#ban-tin'],
    late: true,
  },
  {
    name: 'en: what may not be sold, a strip of a state',
    over: `<div class="ccpa-strip" role="region" aria-live="polite">This site shares details of your visit with advertisers. You may opt out of the sale of your personal data. <button class="optout">Do Not Sell or Share My Personal Information</button><button class="x" aria-label="Dismiss">×</button></div><script>document.querySelector('.optout').onclick = () => { window.choice = 'reject'; document.querySelector('.ccpa-strip').remove(); }</script>`,
    head: '<style>.ccpa-strip{position:fixed;bottom:0;left:0;right:0;padding:14px;background:#f1f1f1;z-index:4000}</style>',
    gone: ['.ccpa-strip'],
    choice: 'reject',
  },
  {
    name: 'it: iubenda at the head, its buttons without a word for both',
    over: `<div id="iubenda-cs-banner" class="iubenda-cs-overlay iubenda-cs-visible" role="alertdialog"><div class="iubenda-cs-container"><div class="iubenda-cs-content"><p>Noi e terze parti selezionate utilizziamo tecnologie simili come specificato nella policy.</p><div class="iubenda-cs-opt-group"><button class="iubenda-cs-customize-btn">Scopri di più e personalizza</button><button class="iubenda-cs-reject-btn">Rifiuta</button><button class="iubenda-cs-accept-btn">Accetta</button></div></div></div></div><script>for (const c of ['reject', 'accept']) document.querySelector('.iubenda-cs-' + c + '-btn').onclick = () => { window.choice = c; document.getElementById('iubenda-cs-banner').remove(); }</script>`,
    head: '<style>#iubenda-cs-banner{position:fixed;top:0;left:0;right:0;z-index:99999998}.iubenda-cs-content{background:#000;color:#fff;padding:20px}</style>',
    gone: ['#iubenda-cs-banner'],
    choice: 'reject',
  },
  {
    name: 'th: a discount for whoever leaves an address, with a wheel',
    lang: 'ja',
    over: `<div class="wheel-popup"><div class="wheel-popup__shade"></div><div class="wheel-popup__card"><svg width="240" height="240"><circle cx="120" cy="120" r="118" fill="tomato"/></svg><h3>หมุนวงล้อรับส่วนลดสูงสุด 50%</h3><input type="email" placeholder="อีเมลของคุณ"><button>หมุนเลย</button><p class="skip">ไม่ ขอบคุณ</p></div></div><script>document.querySelector('.skip').onclick = () => document.querySelector('.wheel-popup').remove()</script>`,
    head: '<style>.wheel-popup__shade{position:fixed;inset:0;background:#000a;z-index:5000}.wheel-popup__card{position:fixed;left:0;top:0;bottom:0;width:420px;background:#fff;z-index:5001;padding:24px}.skip{cursor:pointer;text-decoration:underline}</style>',
    gone: ['.wheel-popup__shade', '.wheel-popup__card'],
  },
  {
    name: 'de: articles are counted, a dock at the foot',
    over: `<div class="dock" data-testid="gateway"><div class="dock__in"><p><b>Sie haben noch 1 freien Artikel in diesem Monat.</b></p><p>Alle Inhalte ab 2,99 € pro Monat. Monatlich kündbar.</p><a href="/abo">Angebote ansehen</a> <a href="/anmelden">Anmelden</a> <button aria-label="Minimieren"><svg width="14" height="14"><path d="M0 0L14 14"/></svg></button></div></div>`,
    head: '<style>.dock{position:fixed;left:0;right:0;bottom:0;background:#fff;border-top:1px solid #000;padding:20px;z-index:2000}</style>',
    gone: ['.dock'],
  },
  {
    name: 'hr: two at once, the country and the cookies, over a locked page',
    lang: 'no',
    over: `<div class="modal-open-bg"></div><div class="drzava" role="dialog"><h3>Choose your country</h3><p>Your parcel can be sent to Croatia.</p><button class="hr">Hrvatska</button><button class="zatvori" aria-label="Zatvori">×</button></div><div class="kolacici"><p>Ova stranica koristi kolačiće radi boljeg iskustva.</p><button class="da">Prihvaćam</button><button class="ne">Odbijam</button></div><script>document.documentElement.classList.add('no-scroll'); document.querySelector('.ne').onclick = () => { window.choice = 'reject'; document.querySelector('.kolacici').remove(); }; document.querySelector('.da').onclick = () => { window.choice = 'accept'; };</script>`,
    head: '<style>.no-scroll{overflow:hidden;height:100vh}.no-scroll body{overflow:hidden;height:100vh;touch-action:none}.modal-open-bg{position:fixed;inset:0;background:#0009;z-index:1}.drzava{position:fixed;left:30%;top:30%;width:40%;background:#fff;padding:20px;z-index:2}.kolacici{position:fixed;left:0;right:0;bottom:0;background:#ffd;padding:10px;z-index:3}</style>',
    gone: ['.drzava', '.modal-open-bg', '.kolacici'],
    choice: 'reject',
    scrolls: true,
  },
  {
    name: 'sk: an article whose rest is hidden, and a box in its flow',
    lang: 'cs',
    body: `<header><nav><a href="/">Domov</a> <a href="/sport">Šport</a></nav></header><main><h1>Povodeň</h1><article><p>Rieka stúpala celú noc a ľudia čakali na ráno.</p><div class="zvysok">${paragraphs('cs', 4)}<p class="koniec">Ráno voda klesla.</p></div><div class="zamok"><b>Odomknite si celý článok</b><p>Predplatné už od 3,90 € mesačne.</p><a class="kup" href="/predplatne">Predplatiť</a><a href="/prihlasenie">Prihlásiť sa</a></div></article></main>`,
    head: '<style>.zvysok{height:160px;overflow:hidden;position:relative}.zvysok::after{content:"";position:absolute;inset:auto 0 0 0;height:120px;background:linear-gradient(transparent,#fff)}.zamok{border:2px solid gold;padding:20px}</style>',
    gone: ['.zamok'],
    stays: ['main', 'article > p', '.koniec', 'header'],
  },
  {
    name: 'hi: may we ring the bell, from a frame drawn in a shadow',
    lang: 'en',
    over: `<push-bell></push-bell><script>const bell = document.querySelector('push-bell').attachShadow({ mode: 'open' }); bell.innerHTML = '<style>.p{position:fixed;left:20px;top:20px;width:360px;background:#fff;box-shadow:0 2px 14px #0006;padding:14px;z-index:2147483647}</style><div class="p"><b>ताज़ा ख़बरों की सूचनाएँ पाएँ</b><p>आप इन्हें कभी भी बंद कर सकते हैं।</p><button class="n">बाद में</button><button class="y">अनुमति दें</button></div>'; bell.querySelector('.n').onclick = () => bell.querySelector('.p').remove(); bell.querySelector('.y').onclick = () => { window.choice = 'accept'; };</script>`,
    gone: ['push-bell >>> .p'],
  },
]);

/** Nothing on these pages may go: written with the third modals. */
export const THIRD_TRAPS = buildPages([
  {
    name: 'en: terms to be read before a program is had, with what accepts them',
    body: `<main><h1>Licence agreement</h1>${paragraphs('en', 14)}</main><div class="terms-bar"><label><input type="checkbox"> I have read the terms</label><button disabled>Accept and download</button> <button>Decline</button></div>`,
    head: '<style>.terms-bar{position:fixed;left:0;right:0;bottom:0;background:#fff;border-top:1px solid;padding:16px;z-index:20}</style>',
    stays: ['main', '.terms-bar', '.terms-bar button'],
  },
  {
    name: 'fr: a bank asks whether anybody is still there',
    over: `<div class="voile"></div><div class="session" role="alertdialog" aria-modal="true"><h2>Votre session va expirer</h2><p>Sans action de votre part, vous serez déconnecté dans 60 secondes.</p><button>Rester connecté</button><button>Se déconnecter</button></div>`,
    head: '<style>.voile{position:fixed;inset:0;background:#0007;z-index:50}.session{position:fixed;left:32%;top:30%;width:36%;background:#fff;padding:24px;z-index:51}</style>',
    stays: ['.voile', '.session', '.session p', 'main'],
  },
  {
    name: 'es: a question of a quiz, with its answers from one to five',
    body: `<div class="quiz"><h2>¿Cuántos ríos pasan por la ciudad?</h2><button>1</button><button>2</button><button>3</button><button>4</button><button>5</button><p>Pregunta 3 de 10</p></div>`,
    head: '<style>.quiz{position:fixed;inset:0;background:#134;color:#fff;padding:80px}</style>',
    stays: ['.quiz', '.quiz button'],
  },
  {
    name: 'de: a table of sizes, over a shop',
    over: `<div class="modal fade show"><div class="modal-dialog"><div class="modal-content"><div class="modal-header"><h5>Größentabelle</h5><button class="btn-close" aria-label="Schließen"></button></div><div class="modal-body"><table><tr><th>EU</th><th>cm</th></tr>${[38, 39, 40, 41].map((n) => `<tr><td>${String(n)}</td><td>${String(n * 0.65)}</td></tr>`).join('')}</table></div></div></div></div><div class="modal-backdrop fade show"></div>`,
    head: '<style>.modal{position:fixed;inset:0;z-index:1055}.modal-dialog{width:400px;margin:60px auto;background:#fff;padding:16px}.modal-backdrop{position:fixed;inset:0;background:#000;opacity:.5;z-index:1050}.btn-close{width:16px;height:16px}</style>',
    stays: ['.modal', '.modal-dialog', '.modal table', '.modal-backdrop'],
  },
  {
    name: 'pt: where to send it, on a sheet from below',
    over: `<div class="folha" role="dialog" aria-label="Compartilhar"><h4>Compartilhar</h4><a href="https://wa.me/?text=x">WhatsApp</a><a href="mailto:?body=x">E-mail</a><button>Copiar link</button><button aria-label="Fechar">×</button></div>`,
    head: '<style>.folha{position:fixed;left:0;right:0;bottom:0;background:#fff;padding:20px;z-index:3000;box-shadow:0 -4px 20px #0003}</style>',
    stays: ['.folha', '.folha a', 'main'],
  },
  {
    name: 'nl: three new reports on a page that follows events',
    over: `<button class="nieuw">3 nieuwe berichten ↑</button><div class="terug" role="button" aria-label="Naar boven">↑</div><div class="volg"><b>Live</b> Het water staat op 4,12 meter <button>Volgen</button></div>`,
    head: '<style>.nieuw{position:fixed;top:70px;left:45%;z-index:900}.terug{position:fixed;right:16px;bottom:16px;width:40px;height:40px;background:#ddd;z-index:900}.volg{position:sticky;bottom:0;background:#d00;color:#fff;padding:10px;z-index:800}</style>',
    stays: ['.nieuw', '.terug', '.volg', 'main'],
  },
  {
    name: 'ru: a form for work, its second step, in a dialog',
    over: `<dialog id="otklik"><h3>Отклик на вакансию</h3><form method="dialog"><label>Имя <input name="name"></label><label>Почта <input type="email"></label><label>Письмо <textarea></textarea></label><p>Нажимая «Отправить», вы даёте согласие на обработку персональных данных.</p><button>Отправить</button><button aria-label="Закрыть">×</button></form></dialog><script>document.getElementById('otklik').showModal()</script>`,
    stays: ['#otklik', '#otklik form', 'main'],
  },
  {
    name: 'ja: pictures one after the other, over the page',
    over: `<div class="pswp pswp--open" tabindex="-1" role="dialog"><div class="pswp__bg"></div><div class="pswp__img"><img src="${PICTURE}" alt=""></div><div class="pswp__bar">2 / 8 <button title="閉じる">×</button><button title="共有">⤴</button></div><button class="pswp__prev" title="前へ">‹</button></div>`,
    head: '<style>.pswp{position:fixed;inset:0;z-index:1500}.pswp__bg{position:absolute;inset:0;background:#000;opacity:.9}.pswp__img{position:absolute;left:15%;top:8%}.pswp__bar{position:absolute;top:0;right:0;color:#fff}.pswp__prev{position:absolute;left:0;top:50%}</style>',
    stays: ['.pswp', '.pswp__img img', '.pswp__bar', 'main'],
  },
  {
    name: 'sv: what a plan costs, with a bar to choose it',
    body: `<header><nav><a href="/">Start</a></nav></header><main><h1>Välj din prenumeration</h1>${paragraphs('sv', 12)}</main><div class="val"><b>Digital</b> 99 kr per månad <a href="/prenumerera">Bli prenumerant</a></div>`,
    head: '<style>.val{position:fixed;left:0;right:0;bottom:0;background:#fff;padding:14px;border-top:1px solid #ccc;z-index:100}</style>',
    stays: ['header', 'main', '.val'],
  },
  {
    name: 'ar: the window of an adviser, opened',
    over: `<div class="fab-panel" dir="rtl"><div class="top">خدمة العملاء <button aria-label="إغلاق">×</button></div><p>مرحبا، كيف يمكنني مساعدتك اليوم؟</p><form><input type="text" placeholder="اكتب رسالتك"><button>إرسال</button></form></div>`,
    head: '<style>.fab-panel{position:fixed;left:20px;bottom:20px;width:320px;background:#fff;box-shadow:0 2px 12px #0005;z-index:99999;padding:12px}</style>',
    stays: ['.fab-panel', '.fab-panel form', 'main'],
  },
]);
