import { buildPages, html, paragraphs } from '../page.js';

const PICTURE =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='900' height='560'><rect width='900' height='560' fill='sienna'/></svg>";

/** The last look, at what large sites put over their pages. */
export const FOURTH_MODALS = buildPages([
  {
    name: 'en: before one continues, a page in front of a page',
    over: `<div jsname="xe"><div class="KxvlWc"></div><div class="gTMtLb" aria-modal="true" role="dialog" title="Before you continue"><div class="spoKVd"><h1>Before you continue</h1><div>Data is used to deliver services, track outages and, if you wish, to show personalised ads. <a href="/technologies/cookies">More about cookies</a></div><div class="GzLjMd"><button id="W0wltc"><div>Reject all</div></button><button id="L2AGLb"><div>Accept all</div></button></div><a href="/save?continue=/">More options</a></div></div></div><script>for (const [id, c] of [['W0wltc', 'reject'], ['L2AGLb', 'accept']]) document.getElementById(id).onclick = () => { window.choice = c; document.querySelector('[jsname]').remove(); document.body.style.overflow = ''; }; document.body.style.overflow = 'hidden'</script>`,
    head: '<style>.KxvlWc{position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:9999}.gTMtLb{position:fixed;inset:0;z-index:10000}.spoKVd{margin:100px auto;background:#fff;width:600px;padding:30px}</style>',
    gone: ['.gTMtLb', '.KxvlWc'],
    choice: 'reject',
    scrolls: true,
  },
  {
    name: 'en: a shop in the browser of a phone, text messages for a discount',
    over: `<div class="attn-overlay"><div class="attn-card"><button class="attn-x">✕</button><h2>UNLOCK 15% OFF</h2><p>Enter your phone number to receive your code by text.</p><input type="tel" placeholder="(555) 555-5555"><button>GET MY CODE</button><button class="attn-no">Decline Offer</button></div></div><script>document.querySelector('.attn-no').onclick = document.querySelector('.attn-x').onclick = () => { window.choice = 'no'; document.querySelector('.attn-overlay').remove(); }</script>`,
    head: '<style>.attn-overlay{position:fixed;inset:0;background:rgba(10,10,10,.5);z-index:2147483000}.attn-card{position:absolute;left:35%;top:15%;width:30%;background:#fff;padding:30px;text-align:center}</style>',
    gone: ['.attn-overlay'],
    choice: 'no',
  },
  {
    name: 'de: read for money or be advertised to, in a frame of another host',
    over: `<div id="sp_message_container_1011"><iframe id="sp_message_iframe_1011" src="{other}/frame"></iframe></div><script>document.documentElement.classList.add('sp-message-open')</script>`,
    head: '<style>.sp-message-open body{overflow:hidden!important}#sp_message_container_1011{position:fixed;inset:0;z-index:2147483647;background:rgba(0,0,0,.5)}iframe{width:100%;height:100%;border:0}</style>',
    frame: html(
      'de',
      `<div style="width:800px;margin:60px auto;background:#fff;padding:30px"><h1>Weiter mit Werbung oder im Pur-Abo</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking, oder nutzen Sie Pur für 2,99 € im Monat.</p><button title="Akzeptieren und weiter">Akzeptieren und weiter</button><button title="Pur abonnieren">Jetzt Pur abonnieren</button><p>Bereits Pur-Abonnent? <a href="/login">Anmelden</a></p></div>`,
    ),
    gone: ['#sp_message_container_1011', '#sp_message_iframe_1011'],
    scrolls: true,
  },
  {
    name: 'en: an account is wanted, a card at the side that does not shade',
    over: `<div class="login-nudge" role="dialog" aria-label="Sign in"><button aria-label="Close" class="nx">×</button><p>Sign up to see more posts like this, follow writers and leave comments.</p><a class="btn" href="/signup">Create account</a><a class="btn" href="/login">Log in</a></div><script>document.querySelector('.nx').onclick = () => { window.choice = 'closed'; document.querySelector('.login-nudge').remove(); }</script>`,
    head: '<style>.login-nudge{position:fixed;right:16px;top:80px;width:320px;background:#fff;border-radius:16px;padding:20px;z-index:1010;box-shadow:0 8px 30px #0004}</style>',
    gone: ['.login-nudge'],
    choice: 'closed',
  },
  {
    name: 'fr: a strip whose buttons are an icon and a word, in a header of its own',
    head: '<style>.bandeau{position:fixed;top:0;left:0;right:0;background:#003189;color:#fff;padding:16px;z-index:8000}</style>',
    replaces: '<header>',
    by: `<header class="bandeau" role="banner"><p>Mesure d’audience : ce site dépose des traceurs si vous le voulez bien.</p><button class="b1">✓ OK, tout accepter</button><button class="b2">✗ Tout refuser</button><button class="b3">Personnaliser</button></header><script>for (const [c, w] of [['b1', 'accept'], ['b2', 'reject']]) document.querySelector('.' + c).onclick = () => { window.choice = w; document.querySelector('.bandeau').remove(); }</script><header>`,
    gone: ['.bandeau'],
    stays: ['main', 'article p', 'footer'],
    choice: 'reject',
  },
  {
    name: 'en: a story is metered, in a sheet over half the page',
    body: `<div id="site"><header><nav><a href="/">World</a> <a href="/b">Business</a></nav></header><main id="site-content"><h1>The flood</h1><section name="articleBody" class="meteredContent">${paragraphs('en', 14)}</section></main></div><div id="gateway-content"><div class="expanded-dock"><p>Thanks for reading.</p><h2>Create your free account or log in to continue reading.</h2><input type="email" placeholder="Email Address"><button>Continue</button></div></div><script>document.body.style.position = 'fixed'</script>`,
    head: '<style>#site{position:relative;height:100vh;overflow:hidden}#gateway-content{position:fixed;left:0;right:0;bottom:0;height:60%;background:#fff;z-index:1000000100;padding:24px}</style>',
    gone: ['#gateway-content', '.expanded-dock'],
    stays: ['header', 'main', '.meteredContent p'],
    scrolls: true,
  },
  {
    name: 'es: you are in another country, in a bar above the shop',
    head: '<style>.geo{position:fixed;top:0;left:0;right:0;background:#222;color:#fff;padding:12px;z-index:9999;display:flex;gap:12px}</style>',
    replaces: '<header>',
    by: `<div class="geo"><span>Parece que estás en México. ¿Quieres ir a nuestra tienda de México?</span><select><option>México</option></select><button>Continuar</button><button aria-label="Cerrar" class="c">×</button></div><script>document.querySelector('.geo .c').onclick = () => { window.choice = 'closed'; document.querySelector('.geo').remove(); }</script><header>`,
    gone: ['.geo'],
    choice: 'closed',
  },
  {
    name: 'it: may we show where you are from, asked by a web of friends',
    over: `<div class="x1n2onr6"><div class="x9f619" role="dialog" aria-label="Consenti l'uso dei cookie?"><h2>Consentire l'uso dei cookie in questo browser?</h2><p>I cookie ci aiutano a mostrare contenuti pertinenti e a rendere tutto più sicuro.</p><div role="button" tabindex="0" class="d1"><span>Consenti tutti i cookie</span></div><div role="button" tabindex="0" class="d2"><span>Rifiuta cookie facoltativi</span></div></div></div><script>for (const [c, w] of [['d1', 'accept'], ['d2', 'reject']]) document.querySelector('.' + c).onclick = () => { window.choice = w; document.querySelector('.x1n2onr6').remove(); }</script>`,
    head: '<style>.x1n2onr6{position:fixed;inset:0;background:rgba(255,255,255,.8);z-index:400}.x9f619{margin:80px auto;width:548px;background:#fff;box-shadow:0 0 20px #0004;padding:20px}</style>',
    gone: ['.x1n2onr6'],
    choice: 'reject',
  },
  {
    name: 'en: give, a sheet of a free encyclopaedia',
    over: `<div id="frb-donate"><button class="frb-close" title="Close">✕</button><p><b>Please don’t skip this 1-minute read.</b> Most people will ignore this message. We hope you won’t. If everyone reading this gave £2, we’d reach our goal in a few hours.</p><label><input type="radio" name="amt"> £2</label><label><input type="radio" name="amt"> £10</label><label><input type="radio" name="amt"> £25</label><button>Donate</button><button>Maybe later</button></div><script>document.querySelectorAll('#frb-donate button')[2].onclick = document.querySelector('.frb-close').onclick = () => { window.choice = 'later'; document.getElementById('frb-donate').remove(); }</script>`,
    head: '<style>#frb-donate{position:fixed;left:0;right:0;bottom:0;height:48%;background:#fee;z-index:10000;padding:24px}</style>',
    gone: ['#frb-donate'],
    choice: 'later',
  },
  {
    name: 'nl: a pop-over that tells of changed conditions',
    over: `<div id="voorwaarden" popover="manual"><h3>Onze privacyverklaring is gewijzigd</h3><p>We hebben haar op 1 november bijgewerkt. <a href="/privacy">Lees wat er anders is</a></p><button class="sluit">Sluiten</button></div><script>const v = document.getElementById('voorwaarden'); v.showPopover(); v.querySelector('.sluit').onclick = () => { window.choice = 'closed'; v.hidePopover(); }</script>`,
    gone: ['#voorwaarden'],
    choice: 'closed',
  },
]);

/** Nothing on these pages may go: written with the fourth modals. */
export const FOURTH_TRAPS = buildPages([
  {
    name: 'en: the settings of an account, about privacy, in a dialog',
    over: `<div class="scrim"></div><div class="settings" role="dialog" aria-modal="true"><button aria-label="Close">×</button><h2>Privacy</h2><label><input type="checkbox" checked> Show my profile to everyone</label><label><input type="checkbox"> Allow messages</label><label><input type="checkbox"> Email me a newsletter</label><button>Cancel</button><button>Save</button></div>`,
    head: '<style>.scrim{position:fixed;inset:0;background:#0008;z-index:90}.settings{position:fixed;left:30%;top:15%;width:40%;background:#fff;padding:24px;z-index:91}.settings label{display:block}</style>',
    stays: ['.scrim', '.settings', '.settings label', 'main'],
  },
  {
    name: 'fr: a map inside an article, not shown before it may set cookies',
    head: '<style>.carte{position:relative;height:420px;background:#ccd}.carte .ok{position:absolute;inset:0;z-index:3;background:rgba(0,0,0,.6);color:#fff;padding:60px}</style>',
    replaces: '<article>',
    by: `<article><div class="carte"><div class="ok"><p>Cette carte utilise des cookies d’un fournisseur. Acceptez-les pour l’afficher.</p><button>Accepter et afficher</button> <button>Personnaliser</button></div></div>`,
    stays: ['.carte', '.ok', 'main'],
  },
  {
    name: 'en: a friend calls, in a corner',
    over: `<div class="call"><b>Anna</b><p>Incoming video call</p><button class="no">Decline</button><button class="yes">Accept</button></div>`,
    head: '<style>.call{position:fixed;right:20px;bottom:20px;width:280px;background:#222;color:#fff;padding:20px;z-index:99999}</style>',
    stays: ['.call', '.call button', 'main'],
  },
  {
    name: 'de: filters of a search for flats, a sheet',
    over: `<div class="abdunkeln"></div><div class="blatt" role="dialog"><h2>Suche verfeinern</h2><label>Miete bis <input type="range"></label><label><input type="radio" name="z"> 2 Zimmer</label><label><input type="radio" name="z"> 3 Zimmer</label><button>Alle ablehnen</button><button>142 Treffer anzeigen</button></div>`,
    head: '<style>.abdunkeln{position:fixed;inset:0;background:#0007;z-index:200}.blatt{position:fixed;left:0;right:0;bottom:0;background:#fff;padding:24px;z-index:201}</style>',
    stays: ['.abdunkeln', '.blatt', '.blatt label', 'main'],
  },
  {
    name: 'en: a story told while one scrolls, its text upon pictures',
    body: `<div class="scrolly"><div class="graphic"><img src="${PICTURE}" alt=""></div><div class="step"><p>Subscribe to nothing, said the river, and rose.</p></div></div><main>${paragraphs('en', 12)}</main>`,
    head: '<style>.graphic{position:sticky;top:0;height:100vh}.graphic img{width:100%;height:100%}.step{position:absolute;left:30%;top:40%;background:#fff;padding:16px;z-index:120;width:300px}</style>',
    stays: ['.graphic', '.graphic img', '.step', 'main'],
  },
  {
    name: 'es: what a store has, at the foot: colour, size and the basket',
    over: `<div class="compra"><img src="${PICTURE}" width="40" height="40" alt=""><span>Botas de agua · 39,90 € · -20%</span><select><option>38</option></select><button>Añadir</button><button aria-label="Cerrar">×</button></div>`,
    head: '<style>.compra{position:fixed;left:0;right:0;bottom:0;background:#fff;padding:10px;z-index:9999;display:flex;gap:12px;box-shadow:0 -2px 6px #0003}</style>',
    stays: ['.compra', '.compra button', 'main'],
  },
  {
    name: 'en: the first step of a tour through an app',
    body: `<div class="bar">Boards</div><main>${paragraphs('en', 12)}</main><div class="coach" role="dialog"><p>This is your board. Drag cards here to plan your week.</p><span>1 of 4</span><button>Skip tour</button><button>Next</button></div>`,
    head: '<style>.bar{position:fixed;top:0;left:0;right:0;height:40px;background:#eee}.coach{position:absolute;left:240px;top:60px;width:280px;background:#224;color:#fff;padding:16px;z-index:1060}</style>',
    stays: ['.bar', '.coach', 'main'],
  },
  {
    name: 'ja: a form to log in, in a dialog that the visitor opened',
    over: `<dialog id="login"><h2>ログイン</h2><form method="dialog"><input type="email" placeholder="メールアドレス"><input type="password" placeholder="パスワード"><button>ログイン</button></form><button aria-label="閉じる">×</button></dialog><script>document.getElementById('login').showModal()</script>`,
    stays: ['#login', '#login form', 'main'],
  },
  {
    name: 'it: a ticket that is sold, its time running, at the head',
    over: `<div class="tempo">Il tuo posto è riservato per <b>09:58</b>. Prenotazione 4411, 2 biglietti, 24 €. <button>Annulla</button> <button>Paga</button></div>`,
    head: '<style>.tempo{position:fixed;top:0;left:0;right:0;background:#fd6;padding:12px;z-index:5000}</style>',
    stays: ['.tempo', 'main'],
  },
  {
    name: 'pt: a film in a frame of another host, over the page',
    over: `<div class="caixa"><button aria-label="Fechar">×</button><iframe class="filme" title="A cheia, vídeo" src="{other}/frame" allowfullscreen></iframe></div>`,
    head: '<style>.caixa{position:fixed;inset:0;background:rgba(0,0,0,.85);z-index:8000}.filme{position:absolute;left:15%;top:10%;width:70%;height:70%;border:0}</style>',
    frame: html('pt', '<video controls width="600" height="300"></video><p>Assine o canal e receba notificações</p>'),
    stays: ['.caixa', '.filme', 'main'],
  },
]);
