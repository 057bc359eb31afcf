import { article, html, paragraphs, type ModalPage } from '../page.js';

const ARTICLE = ['main', 'article p', 'header', 'footer'];

/** A third look at what was learnt: languages and makers that were in neither of the others. */
export const THIRD_MODALS: readonly ModalPage[] = [
  {
    name: 'he: a notice of a content system, with a cross and a word of consent',
    html: article(
      'ar',
      `<div dir="rtl" class="hfe-notice"><div class="hfe-notice__inner"><p>אנחנו משתמשים בעוגיות כדי לשפר את חוויית הגלישה. המשך שימוש באתר מהווה הסכמה.</p><a class="hfe-x" href="#"><i class="icon"></i></a><a class="hfe-ok" href="#">הבנתי</a></div></div><script>document.querySelector('.hfe-ok').onclick = () => { window.choice = 'accept'; }; document.querySelector('.hfe-x').onclick = () => { document.querySelector('.hfe-notice').hidden = true; };</script>`,
      '<style>.hfe-notice{position:fixed;bottom:0;inset-inline:0;background:#fff;border-top:1px solid #bbb;padding:16px;z-index:9998}.hfe-notice[hidden]{display:none}.hfe-x{position:absolute;left:12px;top:12px;width:16px;height:16px}.hfe-x .icon{display:inline-block;width:16px;height:16px;background:#888}</style>',
    ),
    gone: ['.hfe-notice'],
    stays: ARTICLE,
  },
  {
    name: 'bg: a box in the middle that hides behind no role, three answers',
    html: article(
      'ru',
      `<div id="__bisk"><div class="m"><h4>Бисквитки на сайта</h4><div class="t">Някои са нужни, за да работи сайтът. Другите ни помагат да го подобряваме. Вие решавате.</div><div class="r"><span class="b b1">Настройки</span><span class="b b2">Отхвърлям</span><span class="b b3">Приемам всички</span></div></div></div><script>document.querySelectorAll('.b').forEach((b, i) => b.addEventListener('click', () => { window.choice = ['settings', 'reject', 'accept'][i]; if (i) document.getElementById('__bisk').remove(); }));</script>`,
      '<style>#__bisk{position:fixed;inset:0;z-index:77777;background:rgba(0,0,0,.35)}#__bisk .m{position:absolute;left:50%;top:50%;transform:translate(-50%,-50%);background:#fff;width:460px;padding:22px}.b{cursor:pointer;display:inline-block;padding:8px 14px;border:1px solid #333;margin-right:8px}</style>',
    ),
    gone: ['#__bisk'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'vi: a letter to subscribe to, in a frame of another host, some time after',
    html: article(
      'en',
      `<script>addEventListener('load', () => setTimeout(() => { const box = document.createElement('div'); box.id = 'ban-tin'; box.innerHTML = '<iframe src="{other}/frame"></iframe>'; document.body.append(box); }, 150))</script>`,
      '<style>#ban-tin{position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:12345}#ban-tin iframe{position:absolute;left:30%;top:20%;width:40%;height:320px;border:0;background:#fff}</style>',
    ),
    frame: html(
      'vi',
      '<div style="padding:20px"><h2>Nhận tin mỗi tuần</h2><p>Để lại địa chỉ, chúng tôi sẽ gửi bài hay nhất cho bạn.</p><form><input type="email" placeholder="Email của bạn"><button>Đăng ký</button></form><button>Không, cảm ơn</button></div>',
    ),
    gone: ['#ban-tin'],
    stays: ARTICLE,
    late: true,
  },
  {
    name: 'en: what may not be sold, a strip of a state',
    html: article(
      'en',
      `<div class="ccpa-strip" role="region" aria-live="polite">This site shares details of your visit with advertisers. You may opt out of the sale of your personal data. <button class="optout">Do Not Sell or Share My Personal Information</button><button class="x" aria-label="Dismiss">×</button></div><script>document.querySelector('.optout').onclick = () => { window.choice = 'reject'; document.querySelector('.ccpa-strip').remove(); }</script>`,
      '<style>.ccpa-strip{position:fixed;bottom:0;left:0;right:0;padding:14px;background:#f1f1f1;z-index:4000}</style>',
    ),
    gone: ['.ccpa-strip'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'it: iubenda at the head, its buttons without a word for both',
    html: article(
      'it',
      `<div id="iubenda-cs-banner" class="iubenda-cs-overlay iubenda-cs-visible" role="alertdialog"><div class="iubenda-cs-container"><div class="iubenda-cs-content"><p>Noi e terze parti selezionate utilizziamo tecnologie simili come specificato nella policy.</p><div class="iubenda-cs-opt-group"><button class="iubenda-cs-customize-btn">Scopri di più e personalizza</button><button class="iubenda-cs-reject-btn">Rifiuta</button><button class="iubenda-cs-accept-btn">Accetta</button></div></div></div></div><script>for (const c of ['reject', 'accept']) document.querySelector('.iubenda-cs-' + c + '-btn').onclick = () => { window.choice = c; document.getElementById('iubenda-cs-banner').remove(); }</script>`,
      '<style>#iubenda-cs-banner{position:fixed;top:0;left:0;right:0;z-index:99999998}.iubenda-cs-content{background:#000;color:#fff;padding:20px}</style>',
    ),
    gone: ['#iubenda-cs-banner'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'th: a discount for whoever leaves an address, with a wheel',
    html: article(
      'ja',
      `<div class="wheel-popup"><div class="wheel-popup__shade"></div><div class="wheel-popup__card"><svg width="240" height="240"><circle cx="120" cy="120" r="118" fill="tomato"/></svg><h3>หมุนวงล้อรับส่วนลดสูงสุด 50%</h3><input type="email" placeholder="อีเมลของคุณ"><button>หมุนเลย</button><p class="skip">ไม่ ขอบคุณ</p></div></div><script>document.querySelector('.skip').onclick = () => document.querySelector('.wheel-popup').remove()</script>`,
      '<style>.wheel-popup__shade{position:fixed;inset:0;background:#000a;z-index:5000}.wheel-popup__card{position:fixed;left:0;top:0;bottom:0;width:420px;background:#fff;z-index:5001;padding:24px}.skip{cursor:pointer;text-decoration:underline}</style>',
    ),
    gone: ['.wheel-popup__shade', '.wheel-popup__card'],
    stays: ARTICLE,
  },
  {
    name: 'de: articles are counted, a dock at the foot',
    html: article(
      'de',
      `<div class="dock" data-testid="gateway"><div class="dock__in"><p><b>Sie haben noch 1 freien Artikel in diesem Monat.</b></p><p>Alle Inhalte ab 2,99 € pro Monat. Monatlich kündbar.</p><a href="/abo">Angebote ansehen</a> <a href="/anmelden">Anmelden</a> <button aria-label="Minimieren"><svg width="14" height="14"><path d="M0 0L14 14"/></svg></button></div></div>`,
      '<style>.dock{position:fixed;left:0;right:0;bottom:0;background:#fff;border-top:1px solid #000;padding:20px;z-index:2000}</style>',
    ),
    gone: ['.dock'],
    stays: ARTICLE,
  },
  {
    name: 'hr: two at once, the country and the cookies, over a locked page',
    html: article(
      'no',
      `<div class="modal-open-bg"></div><div class="drzava" role="dialog"><h3>Choose your country</h3><p>Your parcel can be sent to Croatia.</p><button class="hr">Hrvatska</button><button class="zatvori" aria-label="Zatvori">×</button></div><div class="kolacici"><p>Ova stranica koristi kolačiće radi boljeg iskustva.</p><button class="da">Prihvaćam</button><button class="ne">Odbijam</button></div><script>document.documentElement.classList.add('no-scroll'); document.querySelector('.ne').onclick = () => { window.choice = 'reject'; document.querySelector('.kolacici').remove(); }; document.querySelector('.da').onclick = () => { window.choice = 'accept'; };</script>`,
      '<style>.no-scroll{overflow:hidden;height:100vh}.no-scroll body{overflow:hidden;height:100vh;touch-action:none}.modal-open-bg{position:fixed;inset:0;background:#0009;z-index:1}.drzava{position:fixed;left:30%;top:30%;width:40%;background:#fff;padding:20px;z-index:2}.kolacici{position:fixed;left:0;right:0;bottom:0;background:#ffd;padding:10px;z-index:3}</style>',
    ),
    gone: ['.drzava', '.modal-open-bg', '.kolacici'],
    stays: ARTICLE,
    choice: 'reject',
    scrolls: true,
  },
  {
    name: 'sk: an article whose rest is hidden, and a box in its flow',
    html: html(
      'cs',
      `<header><nav><a href="/">Domov</a> <a href="/sport">Šport</a></nav></header><main><h1>Povodeň</h1><article><p>Rieka stúpala celú noc a ľudia čakali na ráno.</p><div class="zvysok">${paragraphs('cs', 4)}<p class="koniec">Ráno voda klesla.</p></div><div class="zamok"><b>Odomknite si celý článok</b><p>Predplatné už od 3,90 € mesačne.</p><a class="kup" href="/predplatne">Predplatiť</a><a href="/prihlasenie">Prihlásiť sa</a></div></article></main>`,
      '<style>.zvysok{height:160px;overflow:hidden;position:relative}.zvysok::after{content:"";position:absolute;inset:auto 0 0 0;height:120px;background:linear-gradient(transparent,#fff)}.zamok{border:2px solid gold;padding:20px}</style>',
    ),
    gone: ['.zamok'],
    stays: ['main', 'article > p', '.koniec', 'header'],
  },
  {
    name: 'hi: may we ring the bell, from a frame drawn in a shadow',
    html: article(
      'en',
      `<push-bell></push-bell><script>const bell = document.querySelector('push-bell').attachShadow({ mode: 'open' }); bell.innerHTML = '<style>.p{position:fixed;left:20px;top:20px;width:360px;background:#fff;box-shadow:0 2px 14px #0006;padding:14px;z-index:2147483647}</style><div class="p"><b>ताज़ा ख़बरों की सूचनाएँ पाएँ</b><p>आप इन्हें कभी भी बंद कर सकते हैं।</p><button class="n">बाद में</button><button class="y">अनुमति दें</button></div>'; bell.querySelector('.n').onclick = () => bell.querySelector('.p').remove(); bell.querySelector('.y').onclick = () => { window.choice = 'accept'; };</script>`,
    ),
    gone: ['push-bell >>> .p'],
    stays: ARTICLE,
  },
];
