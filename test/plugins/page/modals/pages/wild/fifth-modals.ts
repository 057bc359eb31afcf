import { chooses, html, type ModalPage } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='500'><rect width='900' height='500' fill='teal'/></svg>";
const LOCKED = '<style>html{overflow:hidden}main{min-height:1600px}</style>';

/** Pages that say little, under modals that say as much. */
export const FIFTH_MODALS: readonly ModalPage[] = [
  {
    name: 'de: a voucher over a shop of three shoes, refused by a sentence',
    html: html(
      'de',
      `<main><h1>Sommerschuhe</h1><p>Sneaker 49 €</p><p>Sandale 39 €</p></main><div class="schleier"><form class="kasten" action="/nl"><h2>10 € für dich!</h2><p>Trag dich ein, und dein erster Einkauf wird günstiger.</p><input type="email" placeholder="Deine E-Mail-Adresse"><button>Gutschein sichern</button><a href="#" class="nein">Nein danke, ich zahle lieber den vollen Preis</a></form></div><script>${chooses('.nein', 'no', '.schleier')}</script>`,
      `${LOCKED}<style>.schleier{position:fixed;inset:0;background:rgba(0,0,0,.7);display:grid;place-items:center;z-index:5000}.kasten{background:#fff;padding:40px;width:400px}</style>`,
    ),
    gone: ['.schleier', '.kasten'],
    stays: ['main', 'main h1'],
    choice: 'no',
  },
  {
    name: 'es: cookies in the middle of a page of one picture',
    html: html(
      'es',
      `<main><h1>Casa Lucía</h1><img class="foto" src="${PICTURE}" alt="El patio"><p>Abierto de martes a domingo.</p></main><div class="velo"></div><div class="aviso"><h3>Galletas</h3><p>Usamos cookies propias y de terceros para medir las visitas. Puedes aceptarlas o rechazarlas.</p><button class="si">Aceptar</button><button class="no">Rechazar</button></div><script>document.querySelector('.no').addEventListener('click', () => { window.choice = 'no'; document.querySelector('.aviso').remove(); document.querySelector('.velo').remove(); });</script>`,
      '<style>.velo{position:fixed;inset:0;background:#0009;z-index:40}.aviso{position:fixed;left:25%;top:30%;width:50%;background:#fff;padding:24px;z-index:41}</style>',
    ),
    gone: ['.aviso', '.velo'],
    stays: ['.foto', 'main h1'],
    choice: 'no',
  },
  {
    name: 'ja: an app in front of a recipe of four lines',
    html: html(
      'ja',
      `<main><h1>肉じゃが</h1><p>じゃがいも三個、牛肉二百グラム。</p><p>弱火で二十分。</p></main><div class="cover"><div class="inner"><h2>アプリならもっと便利</h2><p>保存したレシピをいつでも。</p><a class="store" href="https://apps.apple.com/jp/app/id1">アプリで見る</a><button class="web">ブラウザで続ける</button></div></div>`,
      `${LOCKED}<style>.cover{position:fixed;inset:0;background:rgba(20,20,20,.85);z-index:300}.inner{margin:120px auto;width:320px;background:#fff;padding:30px}</style>`,
    ),
    gone: ['.cover', '.inner'],
    stays: ['main', 'main h1'],
  },
  {
    name: 'pl: marks from nought to ten over the page of one thing',
    html: html(
      'pl',
      `<main><h1>Dzbanek gliniany</h1><p>Pojemność 1,2 litra. 89 zł</p><button class="buy">Do koszyka</button></main><div class="nps"><button class="x" aria-label="Zamknij">×</button><p>Czy polecisz nas znajomym?</p>${Array.from({ length: 11 }, (_, mark) => `<button class="mark">${String(mark)}</button>`).join('')}<p><small>wcale — na pewno</small></p></div><script>${chooses('.x', 'closed', '.nps')}</script>`,
      '<style>.nps{position:fixed;right:16px;bottom:16px;width:420px;background:#fff;padding:20px;box-shadow:0 0 20px #0006;z-index:700}</style>',
    ),
    gone: ['.nps', '.mark'],
    stays: ['.buy', 'main h1'],
    choice: 'closed',
  },
  {
    name: 'tr: a subscription over the three lines of a column that one may read',
    html: html(
      'tr',
      `<main><h1>Köşe yazısı</h1><div class="metin"><p>Nehir gece yarım metre yükseldi ve alçak çayırları su bastı.</p><p>Çiftçiler hayvanlarını iki gün önce yükseğe çıkarmıştı.</p><p>Meclis perşembe günü yeni bendi konuşacak. Bu toplantıda kimlerin söz alacağı daha belli değil.</p></div></main><div class="perde"><div class="kutu"><h2>Okumaya devam edin</h2><p>Dijital abonelik ilk ay 9 ₺. Dilediğiniz an bırakın.</p><a href="/abonelik">Abone ol</a><a href="/giris">Zaten aboneyim, giriş yap</a></div></div>`,
      '<style>body{overflow:hidden}.metin{filter:blur(4px)}.perde{position:fixed;inset:0;background:#fffc;z-index:900}.kutu{position:absolute;bottom:0;left:0;right:0;background:#fff;padding:40px;text-align:center}</style>',
    ),
    gone: ['.perde', '.kutu'],
    stays: ['main p', 'main h1'],
  },
  {
    name: 'en: a country to choose over a page that is hardly there yet',
    html: html(
      'en',
      `<main><h1>Autumn is coming</h1><img class="hero" src="${PICTURE}" alt=""></main><dialog class="where"><h2>Where are we shipping to?</h2><p>It looks like you're in Germany. Prices and delivery differ.</p><select><option>Germany</option><option>United States</option></select><button class="go">Shop Germany</button><button class="stay">Stay on the US site</button></dialog><script>document.querySelector('dialog').showModal()</script>`,
      '<style>dialog{width:420px;padding:30px}dialog::backdrop{background:#000b}</style>',
    ),
    gone: ['.where', '.go'],
    stays: ['.hero', 'main h1'],
  },
  {
    name: 'en: a wheel to spin over a shop of two shoes, seen in the wild',
    html: html(
      'en',
      `<main><h1>Summer shoes</h1><p>Light sneakers €49</p><p>Sandals €39</p></main><div class="ov"><div class="box"><h2>Spin the wheel!</h2><p>Get up to 30% off your first order. Enter your email to play.</p><input type="email" placeholder="Email"><button>SPIN NOW</button><p><a href="#" class="no">No, I'd rather pay full price</a></p></div></div>`,
      '<style>body{overflow:hidden}main{min-height:1600px}.ov{position:fixed;inset:0;background:#000a;display:grid;place-items:center;z-index:9999}.box{background:#fff;padding:30px;width:420px;text-align:center}</style>',
    ),
    gone: ['.ov', '.box'],
    stays: ['main', 'main h1'],
    scrolls: true,
  },
];
