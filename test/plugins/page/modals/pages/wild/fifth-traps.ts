import { html, type ModalPage } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='500'><rect width='900' height='500' fill='navy'/></svg>";

/** Short pages of which what lies in front is the matter itself: nothing on them may go. Written with the fifth modals. */
export const FIFTH_TRAPS: readonly ModalPage[] = [
  {
    name: 'en: a login over a picture, with a way to register',
    html: html(
      'en',
      `<img class="bg" src="${PICTURE}" alt=""><h1>Harbour Mail</h1><div class="shade"><form class="card" method="post"><h2>Welcome back</h2><input type="email" placeholder="Email"><input type="password" placeholder="Password"><button>Sign in</button><a href="/register">Sign up for free</a></form></div>`,
      '<style>body{overflow:hidden}.bg{position:fixed;inset:0;width:100%;height:100%}.shade{position:fixed;inset:0;background:rgba(0,0,0,.5);display:grid;place-items:center;z-index:10000}.card{background:#fff;padding:30px;width:320px}</style>',
    ),
    gone: [],
    stays: ['.shade', '.card', '.card button'],
  },
  {
    name: 'fr: a shop that opens in autumn and asks for an address till then',
    html: html(
      'fr',
      `<div class="fond"></div><div class="bientot"><h1>Bientôt ouvert</h1><p>Inscrivez-vous et soyez prévenu de l’ouverture de la boutique.</p><input type="email" placeholder="Votre e-mail"><button>Prévenez-moi</button><p><a href="https://www.instagram.com/x">Instagram</a></p></div>`,
      `<style>body{overflow:hidden}.fond{position:fixed;inset:0;background:rgba(0,0,60,.6)}.bientot{position:fixed;left:20%;top:25%;width:60%;color:#fff;text-align:center;z-index:2}</style>`,
    ),
    gone: [],
    stays: ['.bientot', '.bientot input', '.bientot h1'],
  },
  {
    name: 'it: a link by mail is how one gets in',
    html: html(
      'it',
      `<header><b>Biblioteca comunale</b></header><main><p>Catalogo</p></main><div class="velo"></div><div class="porta" role="dialog" aria-modal="true"><h2>Accedi</h2><p>Scrivi il tuo indirizzo: ti mandiamo un codice.</p><input type="email" autocomplete="email"><button>Invia il codice</button><button>Annulla</button></div>`,
      '<style>.velo{position:fixed;inset:0;background:#0006;z-index:90}.porta{position:fixed;left:30%;top:25%;width:40%;background:#fff;padding:24px;z-index:91}</style>',
    ),
    gone: [],
    stays: ['.porta', '.porta input', 'main'],
  },
  {
    name: 'sv: to leave a newsletter',
    html: html(
      'sv',
      `<main><h1>Nyhetsbrev</h1></main><div class="sista"><h2>Vill du sluta?</h2><p>Du får inte längre vårt nyhetsbrev på den här adressen.</p><input type="email" value="a@b.example"><button>Avsluta prenumerationen</button><button>Nej, behåll den</button></div>`,
      '<style>.sista{position:fixed;left:50%;top:30%;width:400px;margin-left:-200px;background:#eef;padding:30px}</style>',
    ),
    gone: [],
    stays: ['.sista', '.sista button', 'main h1'],
  },
  {
    name: 'ko: a menu that covers a page of a café',
    html: html(
      'ko',
      `<main><h1>골목 카페</h1><p>매일 아홉 시부터.</p></main><div class="menu"><button aria-label="닫기">×</button><a href="/menu">메뉴</a><a href="/place">오시는 길</a><a href="/news">소식</a><a href="/join">회원 가입</a></div>`,
      '<style>body{overflow:hidden}.menu{position:fixed;inset:0;background:rgba(255,255,255,.95);z-index:9999;padding:80px}.menu a{display:block;font-size:30px}</style>',
    ),
    gone: [],
    stays: ['.menu', '.menu a', '.menu button'],
  },
  {
    name: 'pt: where to send the receipt, 5 % off already taken',
    html: html(
      'pt',
      `<main><h1>Pagamento</h1><p>Total 42 €, com 5 % de desconto</p></main><div class="sombra"><div class="recibo"><h2>Enviar o recibo do pedido</h2><input type="email" placeholder="E-mail"><button>Enviar</button><button>Não preciso</button></div></div>`,
      '<style>.sombra{position:fixed;inset:0;background:#0008;z-index:60;display:grid;place-items:center}.recibo{background:#fff;padding:24px;width:360px}</style>',
    ),
    gone: [],
    stays: ['.sombra', '.recibo', '.recibo input'],
  },
];
