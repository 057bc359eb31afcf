import { article, html, paragraphs, type ModalPage } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='560'><rect width='900' height='560' fill='slateblue'/></svg>";

/** Nothing on these pages may go: written with the third modals. */
export const THIRD_TRAPS: readonly ModalPage[] = [
  {
    name: 'en: terms to be read before a program is had, with what accepts them',
    html: html(
      'en',
      `<main><h1>Licence agreement</h1>${paragraphs('en', 14)}</main><div class="terms-bar"><label><input type="checkbox"> I have read the terms</label><button disabled>Accept and download</button> <button>Decline</button></div>`,
      '<style>.terms-bar{position:fixed;left:0;right:0;bottom:0;background:#fff;border-top:1px solid;padding:16px;z-index:20}</style>',
    ),
    gone: [],
    stays: ['main', '.terms-bar', '.terms-bar button'],
  },
  {
    name: 'fr: a bank asks whether anybody is still there',
    html: article(
      'fr',
      `<div class="voile"></div><div class="session" role="alertdialog" aria-modal="true"><h2>Votre session va expirer</h2><p>Sans action de votre part, vous serez déconnecté dans 60 secondes.</p><button>Rester connecté</button><button>Se déconnecter</button></div>`,
      '<style>.voile{position:fixed;inset:0;background:#0007;z-index:50}.session{position:fixed;left:32%;top:30%;width:36%;background:#fff;padding:24px;z-index:51}</style>',
    ),
    gone: [],
    stays: ['.voile', '.session', '.session p', 'main'],
  },
  {
    name: 'es: a question of a quiz, with its answers from one to five',
    html: html(
      'es',
      `<div class="quiz"><h2>¿Cuántos ríos pasan por la ciudad?</h2><button>1</button><button>2</button><button>3</button><button>4</button><button>5</button><p>Pregunta 3 de 10</p></div>`,
      '<style>.quiz{position:fixed;inset:0;background:#134;color:#fff;padding:80px}</style>',
    ),
    gone: [],
    stays: ['.quiz', '.quiz button'],
  },
  {
    name: 'de: a table of sizes, over a shop',
    html: article(
      'de',
      `<div class="modal fade show"><div class="modal-dialog"><div class="modal-content"><div class="modal-header"><h5>Größentabelle</h5><button class="btn-close" aria-label="Schließen"></button></div><div class="modal-body"><table><tr><th>EU</th><th>cm</th></tr>${[38, 39, 40, 41].map((n) => `<tr><td>${String(n)}</td><td>${String(n * 0.65)}</td></tr>`).join('')}</table></div></div></div></div><div class="modal-backdrop fade show"></div>`,
      '<style>.modal{position:fixed;inset:0;z-index:1055}.modal-dialog{width:400px;margin:60px auto;background:#fff;padding:16px}.modal-backdrop{position:fixed;inset:0;background:#000;opacity:.5;z-index:1050}.btn-close{width:16px;height:16px}</style>',
    ),
    gone: [],
    stays: ['.modal', '.modal-dialog', '.modal table', '.modal-backdrop'],
  },
  {
    name: 'pt: where to send it, on a sheet from below',
    html: article(
      'pt',
      `<div class="folha" role="dialog" aria-label="Compartilhar"><h4>Compartilhar</h4><a href="https://wa.me/?text=x">WhatsApp</a><a href="mailto:?body=x">E-mail</a><button>Copiar link</button><button aria-label="Fechar">×</button></div>`,
      '<style>.folha{position:fixed;left:0;right:0;bottom:0;background:#fff;padding:20px;z-index:3000;box-shadow:0 -4px 20px #0003}</style>',
    ),
    gone: [],
    stays: ['.folha', '.folha a', 'main'],
  },
  {
    name: 'nl: three new reports on a page that follows events',
    html: article(
      'nl',
      `<button class="nieuw">3 nieuwe berichten ↑</button><div class="terug" role="button" aria-label="Naar boven">↑</div><div class="volg"><b>Live</b> Het water staat op 4,12 meter <button>Volgen</button></div>`,
      '<style>.nieuw{position:fixed;top:70px;left:45%;z-index:900}.terug{position:fixed;right:16px;bottom:16px;width:40px;height:40px;background:#ddd;z-index:900}.volg{position:sticky;bottom:0;background:#d00;color:#fff;padding:10px;z-index:800}</style>',
    ),
    gone: [],
    stays: ['.nieuw', '.terug', '.volg', 'main'],
  },
  {
    name: 'ru: a form for work, its second step, in a dialog',
    html: article(
      'ru',
      `<dialog id="otklik"><h3>Отклик на вакансию</h3><form method="dialog"><label>Имя <input name="name"></label><label>Почта <input type="email"></label><label>Письмо <textarea></textarea></label><p>Нажимая «Отправить», вы даёте согласие на обработку персональных данных.</p><button>Отправить</button><button aria-label="Закрыть">×</button></form></dialog><script>document.getElementById('otklik').showModal()</script>`,
    ),
    gone: [],
    stays: ['#otklik', '#otklik form', 'main'],
  },
  {
    name: 'ja: pictures one after the other, over the page',
    html: article(
      'ja',
      `<div class="pswp pswp--open" tabindex="-1" role="dialog"><div class="pswp__bg"></div><div class="pswp__img"><img src="${PICTURE}" alt=""></div><div class="pswp__bar">2 / 8 <button title="閉じる">×</button><button title="共有">⤴</button></div><button class="pswp__prev" title="前へ">‹</button></div>`,
      '<style>.pswp{position:fixed;inset:0;z-index:1500}.pswp__bg{position:absolute;inset:0;background:#000;opacity:.9}.pswp__img{position:absolute;left:15%;top:8%}.pswp__bar{position:absolute;top:0;right:0;color:#fff}.pswp__prev{position:absolute;left:0;top:50%}</style>',
    ),
    gone: [],
    stays: ['.pswp', '.pswp__img img', '.pswp__bar', 'main'],
  },
  {
    name: 'sv: what a plan costs, with a bar to choose it',
    html: html(
      'sv',
      `<header><nav><a href="/">Start</a></nav></header><main><h1>Välj din prenumeration</h1>${paragraphs('sv', 12)}</main><div class="val"><b>Digital</b> 99 kr per månad <a href="/prenumerera">Bli prenumerant</a></div>`,
      '<style>.val{position:fixed;left:0;right:0;bottom:0;background:#fff;padding:14px;border-top:1px solid #ccc;z-index:100}</style>',
    ),
    gone: [],
    stays: ['header', 'main', '.val'],
  },
  {
    name: 'ar: the window of an adviser, opened',
    html: article(
      'ar',
      `<div class="fab-panel" dir="rtl"><div class="top">خدمة العملاء <button aria-label="إغلاق">×</button></div><p>مرحبا، كيف يمكنني مساعدتك اليوم؟</p><form><input type="text" placeholder="اكتب رسالتك"><button>إرسال</button></form></div>`,
      '<style>.fab-panel{position:fixed;left:20px;bottom:20px;width:320px;background:#fff;box-shadow:0 2px 12px #0005;z-index:99999;padding:12px}</style>',
    ),
    gone: [],
    stays: ['.fab-panel', '.fab-panel form', 'main'],
  },
];
