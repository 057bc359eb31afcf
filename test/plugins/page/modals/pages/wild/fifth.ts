import { buildPages, chooses } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='500'><rect width='900' height='500' fill='teal'/></svg>";
const NAVY =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='500'><rect width='900' height='500' fill='navy'/></svg>";
const LOCKED = '<style>html{overflow:hidden}main{min-height:1600px}</style>';

/** Pages that say little, under modals that say as much. */
export const FIFTH_MODALS = buildPages([
  {
    name: 'de: a voucher over a shop of three shoes, refused by a sentence',
    body: `<main><h1>Sommerschuhe</h1><p>Sneaker 49 €</p><p>Sandale 39 €</p></main><div class="schleier"><form class="kasten" action="/nl"><h2>10 € für dich!</h2><p>Trag dich ein, und dein erster Einkauf wird günstiger.</p><input type="email" placeholder="Deine E-Mail-Adresse"><button>Gutschein sichern</button><a href="#" class="nein">Nein danke, ich zahle lieber den vollen Preis</a></form></div><script>${chooses('.nein', 'no', '.schleier')}</script>`,
    head: `${LOCKED}<style>.schleier{position:fixed;inset:0;background:rgba(0,0,0,.7);display:grid;place-items:center;z-index:5000}.kasten{background:#fff;padding:40px;width:400px}</style>`,
    gone: ['.schleier', '.kasten'],
    stays: ['main', 'main h1'],
    choice: 'no',
  },
  {
    name: 'es: cookies in the middle of a page of one picture',
    body: `<main><h1>Casa Lucía</h1><img class="foto" src="${PICTURE}" alt="El patio"><p>Abierto de martes a domingo.</p></main><div class="velo"></div><div class="aviso"><h3>Galletas</h3><p>Usamos cookies propias y de terceros para medir las visitas. Puedes aceptarlas o rechazarlas.</p><button class="si">Aceptar</button><button class="no">Rechazar</button></div><script>document.querySelector('.no').addEventListener('click', () => { window.choice = 'no'; document.querySelector('.aviso').remove(); document.querySelector('.velo').remove(); });</script>`,
    head: '<style>.velo{position:fixed;inset:0;background:#0009;z-index:40}.aviso{position:fixed;left:25%;top:30%;width:50%;background:#fff;padding:24px;z-index:41}</style>',
    gone: ['.aviso', '.velo'],
    stays: ['.foto', 'main h1'],
    choice: 'no',
  },
  {
    name: 'ja: an app in front of a recipe of four lines',
    body: `<main><h1>肉じゃが</h1><p>じゃがいも三個、牛肉二百グラム。</p><p>弱火で二十分。</p></main><div class="cover"><div class="inner"><h2>アプリならもっと便利</h2><p>保存したレシピをいつでも。</p><a class="store" href="https://apps.apple.com/jp/app/id1">アプリで見る</a><button class="web">ブラウザで続ける</button></div></div>`,
    head: `${LOCKED}<style>.cover{position:fixed;inset:0;background:rgba(20,20,20,.85);z-index:300}.inner{margin:120px auto;width:320px;background:#fff;padding:30px}</style>`,
    gone: ['.cover', '.inner'],
    stays: ['main', 'main h1'],
  },
  {
    name: 'pl: marks from nought to ten over the page of one thing',
    body: `<main><h1>Dzbanek gliniany</h1><p>Pojemność 1,2 litra. 89 zł</p><button class="buy">Do koszyka</button></main><div class="nps"><button class="x" aria-label="Zamknij">×</button><p>Czy polecisz nas znajomym?</p>${Array.from({ length: 11 }, (_, mark) => `<button class="mark">${String(mark)}</button>`).join('')}<p><small>wcale — na pewno</small></p></div><script>${chooses('.x', 'closed', '.nps')}</script>`,
    head: '<style>.nps{position:fixed;right:16px;bottom:16px;width:420px;background:#fff;padding:20px;box-shadow:0 0 20px #0006;z-index:700}</style>',
    gone: ['.nps', '.mark'],
    stays: ['.buy', 'main h1'],
    choice: 'closed',
  },
  {
    name: 'tr: a subscription over the three lines of a column that one may read',
    body: `<main><h1>Köşe yazısı</h1><div class="metin"><p>Nehir gece yarım metre yükseldi ve alçak çayırları su bastı.</p><p>Çiftçiler hayvanlarını iki gün önce yükseğe çıkarmıştı.</p><p>Meclis perşembe günü yeni bendi konuşacak. Bu toplantıda kimlerin söz alacağı daha belli değil.</p></div></main><div class="perde"><div class="kutu"><h2>Okumaya devam edin</h2><p>Dijital abonelik ilk ay 9 ₺. Dilediğiniz an bırakın.</p><a href="/abonelik">Abone ol</a><a href="/giris">Zaten aboneyim, giriş yap</a></div></div>`,
    head: '<style>body{overflow:hidden}.metin{filter:blur(4px)}.perde{position:fixed;inset:0;background:#fffc;z-index:900}.kutu{position:absolute;bottom:0;left:0;right:0;background:#fff;padding:40px;text-align:center}</style>',
    gone: ['.perde', '.kutu'],
    stays: ['main p', 'main h1'],
  },
  {
    name: 'en: a country to choose over a page that is hardly there yet',
    body: `<main><h1>Autumn is coming</h1><img class="hero" src="${PICTURE}" alt=""></main><dialog class="where"><h2>Where are we shipping to?</h2><p>It looks like you're in Germany. Prices and delivery differ.</p><select><option>Germany</option><option>United States</option></select><button class="go">Shop Germany</button><button class="stay">Stay on the US site</button></dialog><script>document.querySelector('dialog').showModal()</script>`,
    head: '<style>dialog{width:420px;padding:30px}dialog::backdrop{background:#000b}</style>',
    gone: ['.where', '.go'],
    stays: ['.hero', 'main h1'],
  },
  {
    name: 'en: a wheel to spin over a shop of two shoes, seen in the wild',
    body: `<main><h1>Summer shoes</h1><p>Light sneakers €49</p><p>Sandals €39</p></main><div class="ov"><div class="box"><h2>Spin the wheel!</h2><p>Get up to 30% off your first order. Enter your email to play.</p><input type="email" placeholder="Email"><button>SPIN NOW</button><p><a href="#" class="no">No, I'd rather pay full price</a></p></div></div>`,
    head: '<style>body{overflow:hidden}main{min-height:1600px}.ov{position:fixed;inset:0;background:#000a;display:grid;place-items:center;z-index:9999}.box{background:#fff;padding:30px;width:420px;text-align:center}</style>',
    gone: ['.ov', '.box'],
    stays: ['main', 'main h1'],
    scrolls: true,
  },
]);

/** Short pages of which what lies in front is the matter itself: nothing on them may go. Written with the fifth modals. */
export const FIFTH_TRAPS = buildPages([
  {
    name: 'en: a login over a picture, with a way to register',
    body: `<img class="bg" src="${NAVY}" alt=""><h1>Harbour Mail</h1><div class="shade"><form class="card" method="post"><h2>Welcome back</h2><input type="email" placeholder="Email"><input type="password" placeholder="Password"><button>Sign in</button><a href="/register">Sign up for free</a></form></div>`,
    head: '<style>body{overflow:hidden}.bg{position:fixed;inset:0;width:100%;height:100%}.shade{position:fixed;inset:0;background:rgba(0,0,0,.5);display:grid;place-items:center;z-index:10000}.card{background:#fff;padding:30px;width:320px}</style>',
    stays: ['.shade', '.card', '.card button'],
  },
  {
    name: 'fr: a shop that opens in autumn and asks for an address till then',
    body: `<div class="fond"></div><div class="bientot"><h1>Bientôt ouvert</h1><p>Inscrivez-vous et soyez prévenu de l’ouverture de la boutique.</p><input type="email" placeholder="Votre e-mail"><button>Prévenez-moi</button><p><a href="https://www.instagram.com/x">Instagram</a></p></div>`,
    head: `<style>body{overflow:hidden}.fond{position:fixed;inset:0;background:rgba(0,0,60,.6)}.bientot{position:fixed;left:20%;top:25%;width:60%;color:#fff;text-align:center;z-index:2}</style>`,
    stays: ['.bientot', '.bientot input', '.bientot h1'],
  },
  {
    name: 'it: a link by mail is how one gets in',
    body: `<header><b>Biblioteca comunale</b></header><main><p>Catalogo</p></main><div class="velo"></div><div class="porta" role="dialog" aria-modal="true"><h2>Accedi</h2><p>Scrivi il tuo indirizzo: ti mandiamo un codice.</p><input type="email" autocomplete="email"><button>Invia il codice</button><button>Annulla</button></div>`,
    head: '<style>.velo{position:fixed;inset:0;background:#0006;z-index:90}.porta{position:fixed;left:30%;top:25%;width:40%;background:#fff;padding:24px;z-index:91}</style>',
    stays: ['.porta', '.porta input', 'main'],
  },
  {
    name: 'sv: to leave a newsletter',
    body: `<main><h1>Nyhetsbrev</h1></main><div class="sista"><h2>Vill du sluta?</h2><p>Du får inte längre vårt nyhetsbrev på den här adressen.</p><input type="email" value="a@b.example"><button>Avsluta prenumerationen</button><button>Nej, behåll den</button></div>`,
    head: '<style>.sista{position:fixed;left:50%;top:30%;width:400px;margin-left:-200px;background:#eef;padding:30px}</style>',
    stays: ['.sista', '.sista button', 'main h1'],
  },
  {
    name: 'ko: a menu that covers a page of a café',
    body: `<main><h1>골목 카페</h1><p>매일 아홉 시부터.</p></main><div class="menu"><button aria-label="닫기">×</button><a href="/menu">메뉴</a><a href="/place">오시는 길</a><a href="/news">소식</a><a href="/join">회원 가입</a></div>`,
    head: '<style>body{overflow:hidden}.menu{position:fixed;inset:0;background:rgba(255,255,255,.95);z-index:9999;padding:80px}.menu a{display:block;font-size:30px}</style>',
    stays: ['.menu', '.menu a', '.menu button'],
  },
  {
    name: 'pt: where to send the receipt, 5 % off already taken',
    body: `<main><h1>Pagamento</h1><p>Total 42 €, com 5 % de desconto</p></main><div class="sombra"><div class="recibo"><h2>Enviar o recibo do pedido</h2><input type="email" placeholder="E-mail"><button>Enviar</button><button>Não preciso</button></div></div>`,
    head: '<style>.sombra{position:fixed;inset:0;background:#0008;z-index:60;display:grid;place-items:center}.recibo{background:#fff;padding:24px;width:360px}</style>',
    stays: ['.sombra', '.recibo', '.recibo input'],
  },
]);
