import { article, html, type ModalPage } from '../page.js';

const OPEN = '<script>document.querySelector("dialog").showModal()</script>';
const TILES = '<div class="map" style="position:fixed;inset:0;background:#9cb"><canvas width="900" height="700"></canvas></div>';
const TEAL =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='700' height='500'><rect width='700' height='500' fill='teal'/></svg>";

/** What looks like the modals of the same set, and is the page's own. */
export const SEVENTH_TRAPS: readonly ModalPage[] = [
  {
    name: 'fr: a login, asked for, in a dialog of the browser',
    html: article(
      'fr',
      `<dialog class="d"><form method="dialog"><button>×</button></form><h2>Se connecter</h2><form method="post"><input type="email" placeholder="E-mail"><input type="password" placeholder="Mot de passe"><button>Connexion</button></form><a href="/oubli">Mot de passe oublié ?</a></dialog>${OPEN}`,
    ),
    gone: [],
    stays: ['.d', '.d input'],
  },
  {
    name: 'de: an address for an order, in a dialog of the browser',
    html: article(
      'de',
      `<dialog class="d"><form method="dialog"><button>×</button></form><h2>Als Gast bestellen</h2><p>Warenkorb: Tee, 2 Packungen, 11,80 €. Der Gutschein von −10 % für die erste Bestellung ist abgezogen.</p><form method="post"><input type="email" placeholder="E-Mail für die Rechnung"><button>Weiter zur Kasse</button></form></dialog>${OPEN}`,
    ),
    gone: [],
    stays: ['.d', '.d input'],
  },
  {
    name: 'pl: an age, asked for over all of the window',
    html: article(
      'pl',
      '<div class="g" style="position:fixed;inset:0;background:#210;color:#fff;z-index:500;text-align:center;padding-top:200px"><h2>Winnica</h2><p>Czy masz ukończone 18 lat?</p><button>Tak, wchodzę</button><button>Nie</button></div>',
    ),
    gone: [],
    stays: ['.g'],
  },
  {
    name: 'ko: a picture of a show, opened, with what comes before and after',
    html: article(
      'ko',
      `<div class="v" style="position:absolute;left:0;top:0;width:100%;height:100%;background:#000d;z-index:1000"><img class="pic" alt="전시 3" width="700" height="500" src="${TEAL}"><button aria-label="닫기">×</button><button>‹</button><button>›</button><p style="color:#fff">3 / 12</p></div>`,
    ),
    gone: [],
    stays: ['.v', '.pic'],
  },
  {
    name: 'en: a chat that has news, with alerts to turn on',
    html: article(
      'en',
      '<div class="t" style="position:fixed;right:16px;bottom:16px;width:320px;height:380px;background:#fff;border:1px solid #888;z-index:9999"><b>Chat with Maria</b> <button aria-label="Close">×</button><p>Your parcel left the depot an hour ago.</p><p>Turn on alerts for this conversation? <button>Later</button><button>Turn on</button></p><textarea placeholder="Write a reply"></textarea></div>',
    ),
    gone: [],
    stays: ['.t', '.t textarea'],
  },
  {
    name: 'en: changes that were not saved, not to be asked again',
    html: article(
      'en',
      '<div class="s" style="position:fixed;inset:0;background:#0008;z-index:90"></div><div class="b" role="alertdialog" style="position:fixed;left:35%;top:30%;width:360px;background:#fff;padding:24px;z-index:91"><h2>Leave without saving?</h2><p>Your changes to chapter 3 are lost.</p><label><input type="checkbox"> Don’t ask me again</label><form method="post"><button>Discard</button><button>Save</button></form></div>',
    ),
    gone: [],
    stays: ['.b'],
  },
  {
    name: 'es: filters of a shop, in a dialog, with all and only what is needed',
    html: article(
      'es',
      `<dialog class="d"><form method="dialog"><h2>Filtrar galletas</h2><label><input type="checkbox" checked> Sin gluten</label><label><input type="checkbox"> Con chocolate</label><label><input type="checkbox"> Integrales</label><button>Todas</button><button>Solo las elegidas</button></form></dialog>${OPEN}`,
    ),
    gone: [],
    stays: ['.d', '.d input'],
  },
  {
    name: 'de: a place on a map, with its ways, and an app of its own',
    html: html(
      'de',
      `${TILES}<div class="place" style="position:fixed;left:0;right:0;bottom:0;background:#fff;padding:16px;z-index:9"><h1>Café Elbe</h1><p>Geöffnet bis 18 Uhr · 4,6 Sterne · Tische im Freien</p><button>Route</button><button>Speichern</button><a href="tel:+4940123">Anrufen</a></div><div class="legs" style="position:fixed;right:0;top:60px;width:220px;background:#fff"><p>Zu Fuß 12 min</p><p>Bus 112, 6 min</p></div>`,
    ),
    gone: [],
    stays: ['.map', '.place', '.legs'],
  },
  {
    name: 'en: a reader that fills the window, with a text about what blocks advertisements',
    html: html(
      'en',
      '<div class="r" style="position:fixed;inset:0;background:#fff;overflow:auto"><h1>How an ad blocker works</h1><p>An ad blocker compares every request of a page with a list of rules. Lists are written by volunteers. Some sites ask their readers to allow ads, others count the readers who do not see any.</p><p>The first of them came in 2002. Most browsers have one in their shop, and a few have one within.</p><button>Next page</button></div>',
    ),
    gone: [],
    stays: ['.r', '.r h1'],
  },
  {
    name: 'de: a card of a recipe for biscuits, at the foot of the kitchen',
    html: article(
      'de',
      '<div class="k" style="position:fixed;left:16px;bottom:16px;width:300px;background:#fff;padding:18px;box-shadow:0 2px 14px #0005"><b>Kekse backen, Schritt 2 von 5</b><p>Alle Zutaten in die Schüssel geben, dann kneten.</p><button>Zurück</button><button>Weiter</button></div>',
    ),
    gone: [],
    stays: ['.k'],
  },
];
