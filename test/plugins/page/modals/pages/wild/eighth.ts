import { buildPages } from '../page.js';

const OPEN = '<script>document.querySelector("dialog").showModal()</script>';
const FULL = 'position:fixed;inset:0;background:#fff;z-index:800;padding:120px;text-align:center';
const TILES = '<div class="map" style="position:fixed;inset:0;background:#9cb"><canvas width="900" height="700"></canvas></div>';

/** The kinds of the seventh set again, and traps for what was mended by it: written then, measured once. */
export const EIGHTH = buildPages([
  {
    name: 'nl: post of a nursery, in a dialog of the browser',
    over: `<dialog class="d"><form method="dialog"><button aria-label="Sluiten">×</button></form><h2>Groen nieuws?</h2><p>Tuintips in je mailbox en gratis zaadjes bij je eerste bestelling.</p><input type="email" placeholder="E-mailadres"><button>Stuur maar</button></dialog>${OPEN}`,
    gone: ['.d'],
    stays: ['main', 'header'],
  },
  {
    name: 'cs: letters of a shop, in a dialog of the browser',
    over: `<dialog class="d"><form method="dialog"><button>✕</button></form><h2>Buďme ve spojení</h2><p>Sleva 100 Kč na první objednávku za váš e-mail.</p><input type="email" placeholder="váš@e-mail.cz"><button>Chci slevu</button></dialog>${OPEN}`,
    gone: ['.d'],
    stays: ['main', 'header'],
  },
  {
    name: 'it: advertisements are blocked, over all of the window',
    over: `<div class="w" style="${FULL}"><h2>Hai un ad blocker attivo</h2><p>Viviamo di pubblicità: disattivalo e ricarica la pagina.</p><button>Ricarica</button></div>`,
    gone: ['.w'],
    stays: ['main', 'header'],
  },
  {
    name: 'de: news as they break, at the head',
    over: '<div class="p" style="position:fixed;top:0;left:30%;width:400px;background:#fff;box-shadow:0 0 8px #000;padding:16px;z-index:9999">Als Erste wissen, was los ist: Eilmeldungen einschalten? <button>Später</button><button>Einschalten</button></div>',
    gone: ['.p'],
    stays: ['main', 'header'],
  },
  {
    name: 'da: crumbs of biscuits, in a corner',
    over: '<div class="c" style="position:fixed;right:16px;bottom:16px;width:300px;background:#fff;padding:18px;box-shadow:0 2px 14px #0005">Vi bager også småkager. <button>Fint med mig</button><button>Kun de nødvendige</button></div>',
    gone: ['.c'],
    stays: ['main', 'header'],
  },
  {
    name: 'fr: a map of bicycles and its app',
    body: `${TILES}<div class="a" style="position:fixed;left:0;right:0;bottom:0;background:#fff;padding:16px;z-index:9"><b>Plus fluide dans l’application</b> <a href="https://apps.apple.com/fr/app/id3">Ouvrir</a> <button>Rester sur le site</button></div><div class="zoom" style="position:fixed;right:10px;top:40%;background:#fff"><button>+</button><button>−</button></div>`,
    gone: ['.a'],
    stays: ['.map', '.zoom'],
  },
  {
    name: 'vi: a feast of shopping, not to be shown again today',
    lang: 'en',
    over: `<div class="e" style="position:absolute;left:80px;top:80px;width:380px;height:320px;background:#fc8;z-index:1500"><h2>Lễ hội mua sắm</h2><label><input type="checkbox"> Không hiển thị lại hôm nay</label> <button>Đóng</button></div>`,
    gone: ['.e'],
    stays: ['main', 'header'],
  },
  {
    name: 'en: a break of a course that fills the window',
    body: `<main><h1>Lesson 4</h1><p>Irregular verbs.</p></main><div class="q" style="${FULL}"><h2>Well done</h2><p>You have finished 8 of 10 exercises. Two are left for tomorrow.</p><button>Next exercise</button><button>Back to the lesson</button></div>`,
    stays: ['.q', '.q h2'],
  },
  {
    name: 'es: a payment that fills the window',
    body: `<main><h1>Entradas</h1><p>Museo del Mar</p></main><div class="q" style="${FULL}"><h2>Pago con tarjeta</h2><p>Total: 24,00 €</p><form method="post"><input name="tarjeta" placeholder="Número de tarjeta"><input name="cvc" placeholder="CVC"><button>Pagar</button><button type="button">Cancelar</button></form></div>`,
    stays: ['.q', '.q form'],
  },
  {
    name: 'en: the page of an app, with where to get it at its foot',
    over: '<div class="get" style="position:fixed;left:0;right:0;bottom:0;background:#123;color:#fff;padding:14px;z-index:9">Birdsong 4.2 <a href="https://play.google.com/store/apps/details?id=b" style="color:#fff">Android</a> <a href="https://apps.apple.com/app/id4" style="color:#fff">iPhone</a></div>',
    stays: ['.get'],
  },
  {
    name: 'de: tasks of today, and one not to be shown',
    over: '<div class="t" role="dialog" style="position:fixed;left:30%;top:20%;width:400px;background:#fff;padding:20px;z-index:50;border:1px solid"><h2>Aufgabe bearbeiten</h2><label>Titel <input type="text" value="Damm prüfen"></label><label><input type="checkbox"> Heute nicht mehr anzeigen</label><button>Abbrechen</button><button>Speichern</button></div>',
    stays: ['.t', '.t input'],
  },
  {
    name: 'fr: what is packed into a suitcase, with what is needed alone',
    over: '<div class="l" style="position:fixed;right:16px;bottom:16px;width:300px;background:#fff;padding:18px;border:1px solid"><b>Valise pour 3 jours</b><p>14 objets sur 20</p><button>Tout afficher</button><button>Seulement les objets nécessaires</button></div>',
    stays: ['.l'],
  },
  {
    name: 'tr: a first order, looked up by its address',
    over: `<dialog class="d"><form method="dialog"><button>×</button></form><h2>İlk siparişini takip et</h2><p>Sipariş numarası: 4711</p><form method="post"><input type="email" placeholder="E-posta"><button>Sorgula</button></form></dialog>${OPEN}`,
    stays: ['.d', '.d input'],
  },
  {
    name: 'ja: a message to somebody, on a sheet that fills the window',
    body: `<main><h1>受信箱</h1><p>三件</p></main><div class="q" style="${FULL}"><h2>下書き</h2><textarea>こんにちは。</textarea><button>送信</button><button>閉じる</button></div>`,
    stays: ['.q', '.q textarea'],
  },
  {
    name: 'en: a password that was forgotten, in a dialog of the browser',
    over: `<dialog class="d"><form method="dialog"><button>×</button></form><h2>Reset your password</h2><p>We will send you a link.</p><form method="post"><input type="email" placeholder="Your email"><button>Send</button></form></dialog>${OPEN}`,
    stays: ['.d', '.d input'],
  },
]);
