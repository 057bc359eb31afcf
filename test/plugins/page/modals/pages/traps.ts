import { buildPages, paragraphs } from './page.js';

const SVG = (width: number, height: number) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}"><rect width="100%" height="100%" fill="teal"/></svg>`)}`;

/** Nothing on these pages may go. */
export const TRAPS = buildPages([
  {
    name: 'en: a gallery with a picture opened',
    over: `<div class="lightbox" role="dialog" aria-modal="true" aria-label="Photo 3 of 12" style="position:fixed;inset:0;background:rgba(0,0,0,.85);z-index:9999"><button class="lightbox-close" aria-label="Close">×</button><img src="${SVG(800, 500)}" style="position:absolute;left:240px;top:80px;width:800px;height:500px"><p class="caption" style="position:absolute;bottom:10px;color:#fff">The meadows after the flood.</p></div>`,
    stays: ['.lightbox', '.lightbox img', '.caption', 'main'],
  },
  {
    name: 'de: a login page that fills the window',
    body: `<div class="app" style="position:fixed;inset:0;background:#eef"><div class="login" role="dialog" style="position:absolute;left:35%;top:25%;width:30%;background:#fff;padding:24px;z-index:10"><h1>Anmelden</h1><p>Melde dich an, um fortzufahren.</p><form><input name="user" placeholder="E-Mail"><input type="password" placeholder="Passwort"><button>Anmelden</button></form><a href="/neu">Konto anlegen</a></div></div>`,
    stays: ['.app', '.login', '.login form'],
  },
  {
    name: 'fr: a dialog that is all there is',
    body: `<dialog open class="seul"><h2>Session terminée</h2><p>Votre commande 4711 a bien été enregistrée. Vous pouvez fermer cette fenêtre.</p><button>Fermer</button></dialog>`,
    stays: ['.seul', '.seul p'],
  },
  {
    name: 'en: a map that fills the window',
    body: `<div id="map" style="position:fixed;inset:0;background:#cde"><canvas style="width:100%;height:100%"></canvas><div class="leaflet-control" style="position:absolute;left:10px;top:10px;z-index:1000;background:#fff"><button aria-label="Zoom in">+</button><button aria-label="Zoom out">−</button></div><div class="leaflet-popup" style="position:absolute;left:500px;top:300px;z-index:700;background:#fff;padding:12px"><a class="leaflet-popup-close-button" role="button" aria-label="Close popup">×</a><b>Mill bridge</b><br>Closed until Friday</div><div class="attribution" style="position:absolute;right:0;bottom:0;z-index:1000">© map contributors</div></div>`,
    stays: ['#map', '.leaflet-control', '.leaflet-popup', '.attribution'],
  },
  {
    name: 'es: an open chat',
    over: `<div id="chat-widget" role="dialog" aria-label="Chat" style="position:fixed;right:20px;bottom:20px;width:320px;height:420px;background:#fff;z-index:2147483000;box-shadow:0 0 9px #0006"><div class="cabecera">Soporte <button aria-label="Cerrar">×</button></div><div class="mensaje">¡Hola! ¿En qué podemos ayudarte hoy?</div><form><input placeholder="Escribe un mensaje"><button>Enviar</button></form></div>`,
    stays: ['#chat-widget', '.mensaje', 'main'],
  },
  {
    name: 'en: a sticky header with "Subscribe" and "Sign in"',
    replaces: '<header>',
    by: `<div class="masthead" style="position:sticky;top:0;background:#fff;z-index:1000;padding:12px"><a href="/">The Valley Post</a> <a href="/news">News</a> <a href="/sport">Sport</a> <a href="/newsletter">Newsletter</a> <a class="cta" href="/subscribe">Subscribe now</a> <a href="/login">Sign in</a></div><header>`,
    stays: ['.masthead', '.cta', 'main', 'header'],
  },
  {
    name: 'en: a baker who sells cookies',
    over: `<div class="order-bar" style="position:fixed;bottom:0;left:0;right:0;background:#fed;z-index:999;padding:12px">12 oatmeal cookies in your basket. We accept cards and cash. <a href="/basket" class="go">Order now</a> <a href="/options">Box options</a></div>`,
    stays: ['.order-bar', '.go', 'main'],
  },
  {
    name: 'it: the article that explains the cookies',
    body: `<header><nav><a href="/">Home</a></nav></header><main><h1>Informativa sui cookie</h1><article class="policy">${'<p>Questo sito utilizza i cookie per ricordare le tue preferenze. Puoi rifiutare i cookie in ogni momento nelle impostazioni del browser.</p>'.repeat(12)}<button class="prefs">Gestisci le preferenze sui cookie</button> <button>Rifiuta tutti</button> <button>Accetta tutti</button></article></main><footer>© Valle</footer>`,
    stays: ['.policy', '.policy p', '.prefs', 'main'],
  },
  {
    name: 'nl: a video that follows in a corner',
    over: `<div class="mini-player" style="position:fixed;right:16px;bottom:16px;width:320px;height:210px;background:#000;z-index:5000"><video style="width:320px;height:180px"></video><button class="mini-player__close" aria-label="Sluiten">×</button></div>`,
    stays: ['.mini-player', '.mini-player video', 'main'],
  },
  {
    name: 'de: a question for the age',
    over: `<div class="alter" role="dialog" aria-modal="true" style="position:fixed;inset:0;background:rgba(20,20,20,.9);z-index:9000"><div style="margin:200px auto;width:420px;background:#fff;padding:24px"><h2>Sind Sie mindestens 18 Jahre alt?</h2><button>Ja</button><button>Nein, danke</button></div></div>`,
    stays: ['.alter', 'main'],
  },
  {
    name: 'en: documentation with fixed contents',
    body: `<div class="toc" style="position:fixed;left:0;top:0;bottom:0;width:240px;overflow:auto;background:#f7f7f7;z-index:100"><a href="#a">Install</a><br><a href="#b">Configure</a><br><a href="#c">Deploy</a><br><div class="box">Subscribe to our newsletter<input type="email"><button>Subscribe</button></div></div><main style="margin-left:260px"><h1>Manual</h1>${paragraphs('en', 12)}</main>`,
    stays: ['.toc', '.box', 'main'],
  },
  {
    name: 'de: a video that is shown once its cookies are accepted',
    replaces: '<article>',
    by: `<article><div class="zwei-klick" style="position:relative;height:240px;background:#222;color:#fff"><div class="hinweis" style="position:absolute;inset:0;z-index:5;padding:30px">Dieses Video ist von einem anderen Anbieter, der Cookies setzt. Mit dem Laden akzeptieren Sie dessen Datenschutzerklärung. <button>Video laden und akzeptieren</button> <a href="/datenschutz">Einstellungen</a></div></div>`,
    stays: ['.zwei-klick', '.hinweis', 'main'],
  },
  {
    name: 'ja: tabs at the foot of an app',
    over: `<div class="tabbar" style="position:fixed;bottom:0;left:0;right:0;height:56px;background:#fff;z-index:1100;display:flex"><a href="/">ホーム</a><a href="/search">検索</a><a href="/fav">お気に入り</a><a href="/me">マイページ</a></div>`,
    stays: ['.tabbar', '.tabbar a', 'main'],
  },
  {
    name: 'pl: a fixed foot with legal links',
    over: `<div class="stopka" style="position:fixed;bottom:0;left:0;right:0;background:#eee;z-index:50;padding:6px"><a href="/cookies">Polityka cookies</a> · <a href="/ustawienia">Ustawienia prywatności</a> · <a href="/kontakt">Kontakt</a></div>`,
    stays: ['.stopka', 'main'],
  },
  {
    name: 'pt: a product in a dialog with an address of its own',
    over: `<div class="fundo" style="position:fixed;inset:0;background:rgba(0,0,0,.4);z-index:60"></div><div class="produto" role="dialog" aria-modal="true" style="position:fixed;left:20%;top:10%;width:60%;background:#fff;z-index:61;padding:24px"><button aria-label="Fechar">×</button><h1>Botas de borracha</h1><img src="${SVG(300, 300)}" width="300" height="300"><p>Altura de 32 cm, sola antiderrapante.</p><select><option>38</option></select><button>Adicionar ao carrinho</button></div>`,
    stays: ['.produto', '.produto img', '.fundo', 'main'],
  },
  {
    name: 'en: words upon a picture',
    replaces: '<main>',
    by: `<div class="hero" style="position:relative;height:600px;background:url(${SVG(1280, 600)})"><div class="tint" style="position:absolute;inset:0;background:rgba(0,0,0,.45);z-index:1"></div><div class="words" style="position:absolute;inset:0;z-index:2;color:#fff;padding:120px"><h2>Rubber boots, 20% off this week</h2><p>Subscribe and save on every pair.</p><a class="cta" href="/shop">Shop now</a></div></div><main>`,
    stays: ['.hero', '.tint', '.words', '.cta', 'main'],
  },
  {
    name: 'fr: an article about paywalls, with a form for a newsletter',
    body: `<header><nav><a href="/">Une</a></nav></header><main><h1>Pourquoi les murs payants</h1><article><p>« Cet article est réservé aux abonnés » : la phrase est partout. Faut-il s’abonner pour lire la suite ?</p>${paragraphs('fr')}<div class="encart"><h3>Inscrivez-vous à la newsletter</h3><input type="email"><button>S’inscrire</button></div></article></main><footer><a href="/cookies">Gestion des cookies</a></footer>`,
    stays: ['article p', '.encart', 'main', 'footer'],
  },
  {
    name: 'en: an application that scrolls inside',
    body: `<div class="shell" style="position:absolute;inset:0;overflow:hidden;z-index:1"><div class="bar" style="position:fixed;top:0;left:0;right:0;height:48px;z-index:1200;background:#246;color:#fff">Inbox <button>Compose</button> <button aria-label="Close sidebar">×</button></div><div class="list" style="position:absolute;top:48px;bottom:0;left:0;right:0;overflow:auto">${paragraphs('en', 20)}</div></div>`,
    head: '<style>html,body{height:100%;overflow:hidden}</style>',
    stays: ['.shell', '.bar', '.list'],
  },
  {
    name: 'es: a basket at the side',
    over: `<div class="velo" style="position:fixed;inset:0;background:rgba(0,0,0,.4);z-index:900"></div><div class="cesta" role="dialog" aria-modal="true" style="position:fixed;top:0;right:0;bottom:0;width:360px;background:#fff;z-index:901;padding:16px"><button aria-label="Cerrar">×</button><h2>Tu cesta</h2><p>Botas de agua, talla 38</p><input type="number" value="1"><p class="total">Total: 39,90 €</p><a href="/pago">Tramitar pedido</a></div>`,
    stays: ['.cesta', '.total', '.velo', 'main'],
  },
  {
    name: 'pt: a warning at the head of the page',
    over: `<div class="alerta" role="alert" style="position:fixed;top:0;left:0;right:0;background:#fc3;z-index:1500;padding:10px">Aviso: a ponte está fechada ao trânsito até sexta-feira. <a href="/ponte">Saber mais</a> <button class="close" aria-label="Fechar">×</button></div>`,
    stays: ['.alerta', 'main'],
  },
]);
