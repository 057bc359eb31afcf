import { article, html, paragraphs, type ModalPage } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='640' height='420'><rect width='640' height='420' fill='olive'/></svg>";

/** Nothing on these pages may go: written before anyone looked at how modals are told. */
export const FIRST_TRAPS: readonly ModalPage[] = [
  {
    name: 'it: an article on the cookies of the site, with its buttons',
    html: html(
      'it',
      `<header class="testa" style="position:sticky;top:0;z-index:500;background:#fff"><nav><a href="/">Home</a> <a href="/privacy">Privacy</a></nav></header><main><h1>Informativa sui cookie</h1><p>Questo sito utilizza cookie tecnici e, con il tuo consenso, cookie di profilazione.</p>${paragraphs('it', 5)}<section class="preferenze"><h2>Le tue scelte</h2><p>Qui puoi cambiare il consenso ai cookie.</p><label><input type="checkbox"> Statistiche</label> <button>Rifiuta tutto</button> <button>Accetta tutto</button></section>${paragraphs('it', 3)}</main>`,
    ),
    gone: [],
    stays: ['.testa', 'main', '.preferenze', '.preferenze button'],
  },
  {
    name: 'en: a shop that sells cookies, with its bar to buy them',
    html: html(
      'en',
      `<header style="position:sticky;top:0;background:#fff;z-index:40"><nav><a href="/">Crumb & Co</a> <a href="/cookies">All cookies</a></nav></header><main><img src="${PICTURE}" alt=""><h1>Chocolate chip cookies, box of twelve</h1><p>We use real butter in our cookies, and no preservatives. Accept no substitutes.</p>${paragraphs('en', 5)}</main><div class="buybar" style="position:fixed;bottom:0;left:0;right:0;background:#fff;padding:12px;z-index:60;box-shadow:0 -2px 8px #0003"><b>Chocolate chip cookies</b> <span>£14.00</span> <button>Add to basket</button> <button aria-label="Save cookies for later">♡</button></div>`,
    ),
    gone: [],
    stays: ['header', 'main', '.buybar', '.buybar button'],
  },
  {
    name: 'tr: the login of an office, over a picture',
    html: html(
      'tr',
      `<div class="bg"></div><div class="perde"></div><div class="giris"><h1>e-Belediye</h1><form action="/giris" method="post"><input name="tc" placeholder="T.C. kimlik no"><input type="password" placeholder="Şifre"><button>Giriş yap</button></form><p>Bu site oturum için çerez kullanır.</p><a href="/unuttum">Şifremi unuttum</a></div>`,
      '<style>.bg{position:fixed;inset:0;background:#8ab}.perde{position:fixed;inset:0;background:#0007}.giris{position:fixed;left:50%;top:50%;transform:translate(-50%,-50%);width:360px;background:#fff;padding:30px;z-index:20}</style>',
    ),
    gone: [],
    stays: ['.bg', '.perde', '.giris', '.giris form'],
  },
  {
    name: 'cs: a question for the age',
    html: article(
      'cs',
      `<div class="vek"><div class="vek__box"><h2>Je vám už 18 let?</h2><p>Na této stránce nabízíme alkoholické nápoje.</p><button>Ano, je mi více než 18</button> <button>Ne</button></div></div>`,
      '<style>.vek{position:fixed;inset:0;background:rgba(20,0,0,.9);z-index:9999;display:grid;place-items:center}.vek__box{background:#fff;padding:40px}</style>',
    ),
    gone: [],
    stays: ['.vek', '.vek__box', 'main'],
  },
  {
    name: 'ru: a chat of another host, with what it says first',
    html: article(
      'ru',
      `<div class="jivo-wrap"><div class="privet"><button aria-label="Закрыть">×</button>Здравствуйте! Чем могу помочь?</div><iframe class="chat" title="Чат с оператором" src="{other}/frame"></iframe></div>`,
      '<style>.jivo-wrap{position:fixed;right:20px;bottom:20px;width:320px;z-index:2147483000}.chat{width:320px;height:360px;border:0;box-shadow:0 2px 10px #0006}.privet{background:#fff;padding:10px;border:1px solid #ccc}</style>',
    ),
    frame: html(
      'ru',
      '<div style="padding:12px"><b>Ольга</b><p>Напишите нам, мы ответим за минуту.</p><input placeholder="Ваше сообщение"><button>Отправить</button></div>',
    ),
    gone: [],
    stays: ['.jivo-wrap', '.chat', '.privet', 'main'],
  },
  {
    name: 'sv: the way to pay, in a drawer',
    html: article(
      'sv',
      `<div class="overlay"></div><aside class="kassa" role="dialog" aria-modal="true" aria-label="Kassa"><button class="stang" aria-label="Stäng">×</button><h2>Din varukorg (2)</h2><ul><li>Gummistövlar 499 kr <button>Ta bort</button></li><li>Regnrock 899 kr <button>Ta bort</button></li></ul><label>E-post <input type="email"></label><label><input type="checkbox"> Ja tack, jag vill ha nyhetsbrevet</label><p>Fri frakt över 1000 kr!</p><button class="betala">Till betalning</button></aside><script>document.body.style.overflow = 'hidden'</script>`,
      '<style>.overlay{position:fixed;inset:0;background:#0006;z-index:900}.kassa{position:fixed;right:0;top:0;bottom:0;width:400px;background:#fff;z-index:901;padding:20px}</style>',
    ),
    gone: [],
    stays: ['.overlay', '.kassa', '.betala', 'main'],
  },
  {
    name: 'fi: a picture opened in a dialog of the browser',
    html: article(
      'fi',
      `<dialog class="kuva"><button aria-label="Sulje">×</button><figure><img src="${PICTURE}" alt="Niityt"><figcaption>Niityt tulvan jälkeen, 3/14</figcaption></figure><button aria-label="Edellinen">‹</button><button aria-label="Seuraava">›</button></dialog><script>document.querySelector('.kuva').showModal()</script>`,
    ),
    gone: [],
    stays: ['.kuva', '.kuva img', '.kuva figcaption', 'main'],
  },
  {
    name: 'ko: a film that goes on in the corner',
    html: article(
      'ko',
      `<div class="mini"><button class="close" aria-label="닫기">✕</button><video controls muted width="320" height="180"></video><p>홍수 현장 영상 · 구독하기</p></div>`,
      '<style>.mini{position:fixed;right:16px;bottom:16px;width:320px;background:#000;color:#fff;z-index:5000}</style>',
    ),
    gone: [],
    stays: ['.mini', '.mini video', 'main'],
  },
  {
    name: 'no: a map with a panel to search it',
    html: html(
      'no',
      `<div id="kart"><canvas width="1280" height="720"></canvas></div><div class="panel"><input placeholder="Søk etter sted"><button>Søk</button><ul><li>Bergen sentrum</li><li>Os</li></ul><button class="lukk" aria-label="Lukk">×</button></div><div class="zoom"><button>+</button><button>−</button></div>`,
      '<style>#kart{position:fixed;inset:0;background:#cfe3d0}.panel{position:absolute;left:12px;top:12px;width:340px;background:#fff;z-index:1200;padding:12px;box-shadow:0 1px 6px #0005}.zoom{position:absolute;right:12px;bottom:12px;z-index:1200}</style>',
    ),
    gone: [],
    stays: ['#kart', '.panel', '.zoom'],
  },
  {
    name: 'hu: the menu of languages, opened by the visitor',
    html: article(
      'hu',
      `<div popover id="nyelvek"><ul><li><a href="/hu" lang="hu">Magyar</a></li><li><a href="/de" lang="de">Deutsch</a></li><li><a href="/en" lang="en">English</a></li><li><a href="/sk" lang="sk">Slovenčina</a></li></ul></div><script>document.getElementById('nyelvek').showPopover()</script>`,
      '<style>#nyelvek{inset:40px 20px auto auto;width:180px}</style>',
    ),
    gone: [],
    stays: ['#nyelvek', '#nyelvek a', 'main'],
  },
  {
    name: 'el: a question that the page is about',
    html: article(
      'el',
      `<dialog class="erotisi" aria-labelledby="t"><h2 id="t">Ακύρωση κράτησης;</h2><p>Η κράτηση 5521 για δύο άτομα θα ακυρωθεί και τα χρήματα θα επιστραφούν σε πέντε ημέρες.</p><form method="dialog"><button value="no">Όχι, πίσω</button><button value="yes">Ναι, ακύρωση</button></form></dialog><script>document.querySelector('.erotisi').showModal()</script>`,
    ),
    gone: [],
    stays: ['.erotisi', '.erotisi p', 'main'],
  },
  {
    name: 'uk: a header with a menu that is open, and a button to subscribe',
    html: article(
      'uk',
      `<div class="mega"><div><b>Новини</b><a href="/1">Місто</a><a href="/2">Область</a></div><div><b>Культура</b><a href="/3">Театр</a><a href="/4">Кіно</a></div><a class="sub" href="/peredplata">Передплатити</a></div>`,
      '<style>header{position:fixed;top:0;left:0;right:0;z-index:1000}main{padding-top:80px}.mega{position:fixed;top:56px;left:0;right:0;background:#fff;z-index:999;display:flex;gap:40px;padding:24px;box-shadow:0 4px 12px #0004}.mega a{display:block}</style>',
    ),
    gone: [],
    stays: ['.mega', '.mega a', 'header', 'main'],
  },
];
