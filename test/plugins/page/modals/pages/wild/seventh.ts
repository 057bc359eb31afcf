import { buildPages } from '../page.js';

const GREY = 'position:fixed;inset:0;background:#fff;z-index:500;text-align:center;padding-top:160px';
const OPEN = '<script>document.querySelector("dialog").showModal()</script>';
const TILES = '<div class="map" style="position:fixed;inset:0;background:#9cb"><canvas width="900" height="700"></canvas></div>';
const ORANGE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='400' height='420'><rect width='400' height='420' fill='orange'/></svg>";
const CARD = 'position:fixed;left:16px;bottom:16px;width:300px;background:#fff;padding:18px;border-radius:12px;box-shadow:0 2px 14px #0005';
const TEAL =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='700' height='500'><rect width='700' height='500' fill='teal'/></svg>";

/** Kinds that were missed on pages of another author, in other languages, written before anything was mended. */
export const SEVENTH_MODALS = buildPages([
  {
    name: 'de: letters with a gift for the first order, in a dialog of the browser',
    over: `<dialog class="d"><form method="dialog"><button>×</button></form><h2>Schön, dass du da bist</h2><p>Neuigkeiten aus der Rösterei und 10 % auf deine erste Bestellung im Warenkorb.</p><input type="email" placeholder="Deine E-Mail"><button>Dabei sein</button></dialog>${OPEN}`,
    gone: ['.d'],
    stays: ['main', 'header'],
  },
  {
    name: 'it: letters with a discount for the first order, in a dialog of the browser',
    over: `<dialog class="d"><form method="dialog"><button aria-label="Chiudi">✕</button></form><h2>Resta con noi</h2><p>Ricevi le novità e il −15 % sul tuo primo ordine.</p><form><input type="email" required placeholder="La tua e-mail"><button>Mi iscrivo</button></form></dialog>${OPEN}`,
    gone: ['.d'],
    stays: ['main', 'header'],
  },
  {
    name: 'pl: letters and free postage for the first order, in a dialog of the browser',
    over: `<dialog class="d"><form method="dialog"><button>×</button></form><h2>Zostańmy w kontakcie</h2><p>Bądź na bieżąco i odbierz −20 zł na pierwsze zamówienie.</p><input type="email" placeholder="Twój e-mail"><button>Dołączam</button></dialog>${OPEN}`,
    gone: ['.d'],
    stays: ['main', 'header'],
  },
  {
    name: 'es: friends of a bookshop, in a dialog of the browser',
    over: `<dialog class="d"><form method="dialog"><button value="x">×</button></form><h2>Seamos amigos</h2><p>Un correo al mes, y un 5 % en tu primer pedido.</p><input type="email" placeholder="tu@correo.es"><button>¡Quiero!</button></dialog>${OPEN}`,
    gone: ['.d'],
    stays: ['main', 'header'],
  },
  {
    name: 'de: advertisements are blocked, over all of the window',
    over: `<div class="w" style="${GREY}"><h2>Du nutzt wohl einen Adblocker</h2><p>Bitte lass Werbung auf unserer Seite zu, um weiterzumachen.</p><button>Habe ich ausgeschaltet</button></div>`,
    gone: ['.w'],
    stays: ['main', 'header'],
  },
  {
    name: 'ja: advertisements are blocked, over all of the window',
    over: `<div class="w" style="${GREY}"><h2>広告ブロックが検出されました</h2><p>このサイトは広告で運営されています。広告の表示をお願いします。</p><button>再読み込み</button></div>`,
    gone: ['.w'],
    stays: ['main', 'header'],
  },
  {
    name: 'pt: advertisements are blocked, over a page of two lines',
    body: `<main><h1>Guias de jogos</h1><p>Como vencer o dragão em três passos.</p></main><div class="w" style="${GREY}"><h2>Bloqueador de anúncios detectado</h2><p>Por favor, desative-o e atualize a página.</p><button>Já desativei</button><a href="/ajuda">Como fazer isso?</a></div>`,
    gone: ['.w'],
    stays: ['main'],
  },
  {
    name: 'ru: advertisements are blocked, over all of the window',
    over: `<div class="w" style="${GREY}"><h2>Похоже, у вас включён блокировщик рекламы</h2><p>Добавьте наш сайт в исключения, пожалуйста.</p><button>Обновить страницу</button></div>`,
    gone: ['.w'],
    stays: ['main', 'header'],
  },
  {
    name: 'es: alerts of what has just happened, at the head',
    over: '<div class="p" style="position:fixed;top:0;left:30%;width:420px;background:#fff;box-shadow:0 0 8px #000;padding:16px;z-index:9999">¡No te pierdas nada! ¿Activar las alertas? <button>Luego</button><button>Activar</button></div>',
    gone: ['.p'],
    stays: ['main', 'header'],
  },
  {
    name: 'tr: alerts of what has just happened, at the head',
    over: '<div class="p" style="position:fixed;top:0;left:30%;width:420px;background:#fff;box-shadow:0 0 8px #000;padding:16px;z-index:9999">Son dakika gelişmelerini kaçırma! Uyarıları açalım mı? <button>Sonra</button><button>Aç</button></div>',
    gone: ['.p'],
    stays: ['main', 'header'],
  },
  {
    name: 'sv: a bell to be rung for news, at the head',
    over: '<div class="p" style="position:fixed;top:8px;left:30%;width:420px;background:#fff;box-shadow:0 0 8px #000;padding:16px;z-index:99999">Missa inga nyheter! Slå på nyhetslarm? <button>Senare</button><button>Slå på</button></div>',
    gone: ['.p'],
    stays: ['main', 'header'],
  },
  {
    name: 'de: biscuits, by a baker of words',
    over: `<div class="c" style="${CARD}">Magst du Kekse? Wir auch. 🍪 <button>Ich nehme alle</button><button>Nur die nötigen</button></div>`,
    gone: ['.c'],
    stays: ['main', 'header'],
  },
  {
    name: 'nl: biscuits, by a baker of words',
    over: `<div class="c" style="${CARD}">Een koekje erbij? 🍪 <button>Geef mij ze allemaal</button><button>Enkel de noodzakelijke</button></div>`,
    gone: ['.c'],
    stays: ['main', 'header'],
  },
  {
    name: 'sk: biscuits at the foot, without a picture',
    over: '<div class="c" style="position:fixed;left:0;right:0;bottom:0;background:#234;color:#fff;padding:16px">Aj my pečieme sušienky. <button>Beriem všetky</button><button>Iba nevyhnutné</button></div>',
    gone: ['.c'],
    stays: ['main', 'header'],
  },
  {
    name: 'de: a map is better in the app',
    body: `${TILES}<div class="find" style="position:fixed;left:10px;top:10px;width:300px;background:#fff;padding:12px"><input type="search" placeholder="Ort suchen"><p>Hamburg</p></div><div class="a" style="position:fixed;left:0;right:0;bottom:0;background:#fff;padding:16px;z-index:9"><b>In der App geht’s schneller</b><p>Karten auch ohne Netz</p><a href="https://play.google.com/store/apps/details?id=x">Zur App</a> <button>Im Browser weiter</button></div>`,
    gone: ['.a'],
    stays: ['.map', '.find'],
  },
  {
    name: 'pl: a map of buses and its app, at the head',
    body: `${TILES}<div class="zoom" style="position:fixed;right:10px;bottom:40px;background:#fff"><button>+</button><button>−</button></div><div class="a" style="position:fixed;left:0;right:0;top:0;background:#fff;padding:10px;z-index:20"><button aria-label="Zamknij">×</button> <b>Autobusy na żywo</b> Bezpłatnie w Sklepie Play <a href="https://play.google.com/store/apps/details?id=y">Pobierz</a></div>`,
    gone: ['.a'],
    stays: ['.map', '.zoom'],
  },
  {
    name: 'ja: a map of rain and its app, at the foot',
    body: `${TILES}<div class="time" style="position:fixed;left:10px;top:10px;background:#fff;padding:8px">雨雲 12:30</div><div class="a" style="position:fixed;left:0;right:0;bottom:0;background:#fff;padding:14px;z-index:30"><b>アプリ版なら雨の接近をお知らせ</b> <a href="https://apps.apple.com/jp/app/id2">入手</a> <button>このまま続ける</button></div>`,
    gone: ['.a'],
    stays: ['.map', '.time'],
  },
  {
    name: 'ja: an event, not to be shown again today',
    over: `<div class="e" style="position:absolute;left:60px;top:90px;width:400px;background:#fff;border:2px solid #333;z-index:1000"><img alt="夏祭り" width="400" height="300" src="${ORANGE}"><div><label><input type="checkbox"> 今日は表示しない</label> <a href="javascript:void(0)">閉じる</a></div></div>`,
    gone: ['.e'],
    stays: ['main', 'header'],
  },
  {
    name: 'zh: a feast, not to be shown again today',
    lang: 'ja',
    over: `<div class="e" style="position:absolute;left:100px;top:60px;width:400px;background:#fff;z-index:2000"><a href="/festival"><img alt="春节" width="400" height="280" src="${ORANGE}"></a><div><label><input type="checkbox">今日不再提示</label><span style="cursor:pointer">关闭</span></div></div>`,
    gone: ['.e'],
    stays: ['main', 'header'],
  },
  {
    name: 'ko: two events side by side, not to be shown for a week',
    over: `<div class="e" style="position:absolute;left:20px;top:90px;width:300px;background:#fff;z-index:1000"><img alt="" width="300" height="260" src="${ORANGE}"><button>일주일간 보지 않기</button><button>닫기</button></div><div class="f" style="position:absolute;left:340px;top:90px;width:300px;background:#fff;z-index:1001"><img alt="" width="300" height="260" src="${ORANGE}"><button>오늘 하루 열지 않음</button><button>닫기</button></div>`,
    gone: ['.e', '.f'],
    stays: ['main', 'header'],
  },
]);

/** What looks like the modals of the same set, and is the page's own. */
export const SEVENTH_TRAPS = buildPages([
  {
    name: 'fr: a login, asked for, in a dialog of the browser',
    over: `<dialog class="d"><form method="dialog"><button>×</button></form><h2>Se connecter</h2><form method="post"><input type="email" placeholder="E-mail"><input type="password" placeholder="Mot de passe"><button>Connexion</button></form><a href="/oubli">Mot de passe oublié ?</a></dialog>${OPEN}`,
    stays: ['.d', '.d input'],
  },
  {
    name: 'de: an address for an order, in a dialog of the browser',
    over: `<dialog class="d"><form method="dialog"><button>×</button></form><h2>Als Gast bestellen</h2><p>Warenkorb: Tee, 2 Packungen, 11,80 €. Der Gutschein von −10 % für die erste Bestellung ist abgezogen.</p><form method="post"><input type="email" placeholder="E-Mail für die Rechnung"><button>Weiter zur Kasse</button></form></dialog>${OPEN}`,
    stays: ['.d', '.d input'],
  },
  {
    name: 'pl: an age, asked for over all of the window',
    over: '<div class="g" style="position:fixed;inset:0;background:#210;color:#fff;z-index:500;text-align:center;padding-top:200px"><h2>Winnica</h2><p>Czy masz ukończone 18 lat?</p><button>Tak, wchodzę</button><button>Nie</button></div>',
    stays: ['.g'],
  },
  {
    name: 'ko: a picture of a show, opened, with what comes before and after',
    over: `<div class="v" style="position:absolute;left:0;top:0;width:100%;height:100%;background:#000d;z-index:1000"><img class="pic" alt="전시 3" width="700" height="500" src="${TEAL}"><button aria-label="닫기">×</button><button>‹</button><button>›</button><p style="color:#fff">3 / 12</p></div>`,
    stays: ['.v', '.pic'],
  },
  {
    name: 'en: a chat that has news, with alerts to turn on',
    over: '<div class="t" style="position:fixed;right:16px;bottom:16px;width:320px;height:380px;background:#fff;border:1px solid #888;z-index:9999"><b>Chat with Maria</b> <button aria-label="Close">×</button><p>Your parcel left the depot an hour ago.</p><p>Turn on alerts for this conversation? <button>Later</button><button>Turn on</button></p><textarea placeholder="Write a reply"></textarea></div>',
    stays: ['.t', '.t textarea'],
  },
  {
    name: 'en: changes that were not saved, not to be asked again',
    over: '<div class="s" style="position:fixed;inset:0;background:#0008;z-index:90"></div><div class="b" role="alertdialog" style="position:fixed;left:35%;top:30%;width:360px;background:#fff;padding:24px;z-index:91"><h2>Leave without saving?</h2><p>Your changes to chapter 3 are lost.</p><label><input type="checkbox"> Don’t ask me again</label><form method="post"><button>Discard</button><button>Save</button></form></div>',
    stays: ['.b'],
  },
  {
    name: 'es: filters of a shop, in a dialog, with all and only what is needed',
    over: `<dialog class="d"><form method="dialog"><h2>Filtrar galletas</h2><label><input type="checkbox" checked> Sin gluten</label><label><input type="checkbox"> Con chocolate</label><label><input type="checkbox"> Integrales</label><button>Todas</button><button>Solo las elegidas</button></form></dialog>${OPEN}`,
    stays: ['.d', '.d input'],
  },
  {
    name: 'de: a place on a map, with its ways, and an app of its own',
    body: `${TILES}<div class="place" style="position:fixed;left:0;right:0;bottom:0;background:#fff;padding:16px;z-index:9"><h1>Café Elbe</h1><p>Geöffnet bis 18 Uhr · 4,6 Sterne · Tische im Freien</p><button>Route</button><button>Speichern</button><a href="tel:+4940123">Anrufen</a></div><div class="legs" style="position:fixed;right:0;top:60px;width:220px;background:#fff"><p>Zu Fuß 12 min</p><p>Bus 112, 6 min</p></div>`,
    stays: ['.map', '.place', '.legs'],
  },
  {
    name: 'en: a reader that fills the window, with a text about what blocks advertisements',
    body: '<div class="r" style="position:fixed;inset:0;background:#fff;overflow:auto"><h1>How an ad blocker works</h1><p>An ad blocker compares every request of a page with a list of rules. Lists are written by volunteers. Some sites ask their readers to allow ads, others count the readers who do not see any.</p><p>The first of them came in 2002. Most browsers have one in their shop, and a few have one within.</p><button>Next page</button></div>',
    stays: ['.r', '.r h1'],
  },
  {
    name: 'de: a card of a recipe for biscuits, at the foot of the kitchen',
    over: '<div class="k" style="position:fixed;left:16px;bottom:16px;width:300px;background:#fff;padding:18px;box-shadow:0 2px 14px #0005"><b>Kekse backen, Schritt 2 von 5</b><p>Alle Zutaten in die Schüssel geben, dann kneten.</p><button>Zurück</button><button>Weiter</button></div>',
    stays: ['.k'],
  },
]);
