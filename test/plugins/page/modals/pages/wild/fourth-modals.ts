import { article, html, paragraphs, type ModalPage } from '../page.js';

const ARTICLE = ['main', 'article p', 'header', 'footer'];

/** The last look, at what large sites put over their pages. */
export const FOURTH_MODALS: readonly ModalPage[] = [
  {
    name: 'en: before one continues, a page in front of a page',
    html: article(
      'en',
      `<div jsname="xe"><div class="KxvlWc"></div><div class="gTMtLb" aria-modal="true" role="dialog" title="Before you continue"><div class="spoKVd"><h1>Before you continue</h1><div>Data is used to deliver services, track outages and, if you wish, to show personalised ads. <a href="/technologies/cookies">More about cookies</a></div><div class="GzLjMd"><button id="W0wltc"><div>Reject all</div></button><button id="L2AGLb"><div>Accept all</div></button></div><a href="/save?continue=/">More options</a></div></div></div><script>for (const [id, c] of [['W0wltc', 'reject'], ['L2AGLb', 'accept']]) document.getElementById(id).onclick = () => { window.choice = c; document.querySelector('[jsname]').remove(); document.body.style.overflow = ''; }; document.body.style.overflow = 'hidden'</script>`,
      '<style>.KxvlWc{position:fixed;inset:0;background:rgba(0,0,0,.6);z-index:9999}.gTMtLb{position:fixed;inset:0;z-index:10000}.spoKVd{margin:100px auto;background:#fff;width:600px;padding:30px}</style>',
    ),
    gone: ['.gTMtLb', '.KxvlWc'],
    stays: ARTICLE,
    choice: 'reject',
    scrolls: true,
  },
  {
    name: 'en: a shop in the browser of a phone, text messages for a discount',
    html: article(
      'en',
      `<div class="attn-overlay"><div class="attn-card"><button class="attn-x">✕</button><h2>UNLOCK 15% OFF</h2><p>Enter your phone number to receive your code by text.</p><input type="tel" placeholder="(555) 555-5555"><button>GET MY CODE</button><button class="attn-no">Decline Offer</button></div></div><script>document.querySelector('.attn-no').onclick = document.querySelector('.attn-x').onclick = () => { window.choice = 'no'; document.querySelector('.attn-overlay').remove(); }</script>`,
      '<style>.attn-overlay{position:fixed;inset:0;background:rgba(10,10,10,.5);z-index:2147483000}.attn-card{position:absolute;left:35%;top:15%;width:30%;background:#fff;padding:30px;text-align:center}</style>',
    ),
    gone: ['.attn-overlay'],
    stays: ARTICLE,
    choice: 'no',
  },
  {
    name: 'de: read for money or be advertised to, in a frame of another host',
    html: article(
      'de',
      `<div id="sp_message_container_1011"><iframe id="sp_message_iframe_1011" src="{other}/frame"></iframe></div><script>document.documentElement.classList.add('sp-message-open')</script>`,
      '<style>.sp-message-open body{overflow:hidden!important}#sp_message_container_1011{position:fixed;inset:0;z-index:2147483647;background:rgba(0,0,0,.5)}iframe{width:100%;height:100%;border:0}</style>',
    ),
    frame: html(
      'de',
      `<div style="width:800px;margin:60px auto;background:#fff;padding:30px"><h1>Weiter mit Werbung oder im Pur-Abo</h1><p>Besuchen Sie uns wie gewohnt mit Werbung und Tracking, oder nutzen Sie Pur für 2,99 € im Monat.</p><button title="Akzeptieren und weiter">Akzeptieren und weiter</button><button title="Pur abonnieren">Jetzt Pur abonnieren</button><p>Bereits Pur-Abonnent? <a href="/login">Anmelden</a></p></div>`,
    ),
    gone: ['#sp_message_container_1011', '#sp_message_iframe_1011'],
    stays: ARTICLE,
    scrolls: true,
  },
  {
    name: 'en: an account is wanted, a card at the side that does not shade',
    html: article(
      'en',
      `<div class="login-nudge" role="dialog" aria-label="Sign in"><button aria-label="Close" class="nx">×</button><p>Sign up to see more posts like this, follow writers and leave comments.</p><a class="btn" href="/signup">Create account</a><a class="btn" href="/login">Log in</a></div><script>document.querySelector('.nx').onclick = () => { window.choice = 'closed'; document.querySelector('.login-nudge').remove(); }</script>`,
      '<style>.login-nudge{position:fixed;right:16px;top:80px;width:320px;background:#fff;border-radius:16px;padding:20px;z-index:1010;box-shadow:0 8px 30px #0004}</style>',
    ),
    gone: ['.login-nudge'],
    stays: ARTICLE,
    choice: 'closed',
  },
  {
    name: 'fr: a strip whose buttons are an icon and a word, in a header of its own',
    html: article(
      'fr',
      '',
      '<style>.bandeau{position:fixed;top:0;left:0;right:0;background:#003189;color:#fff;padding:16px;z-index:8000}</style>',
    ).replace(
      '<header>',
      `<header class="bandeau" role="banner"><p>Mesure d’audience : ce site dépose des traceurs si vous le voulez bien.</p><button class="b1">✓ OK, tout accepter</button><button class="b2">✗ Tout refuser</button><button class="b3">Personnaliser</button></header><script>for (const [c, w] of [['b1', 'accept'], ['b2', 'reject']]) document.querySelector('.' + c).onclick = () => { window.choice = w; document.querySelector('.bandeau').remove(); }</script><header>`,
    ),
    gone: ['.bandeau'],
    stays: ['main', 'article p', 'footer'],
    choice: 'reject',
  },
  {
    name: 'en: a story is metered, in a sheet over half the page',
    html: html(
      'en',
      `<div id="site"><header><nav><a href="/">World</a> <a href="/b">Business</a></nav></header><main id="site-content"><h1>The flood</h1><section name="articleBody" class="meteredContent">${paragraphs('en', 14)}</section></main></div><div id="gateway-content"><div class="expanded-dock"><p>Thanks for reading.</p><h2>Create your free account or log in to continue reading.</h2><input type="email" placeholder="Email Address"><button>Continue</button></div></div><script>document.body.style.position = 'fixed'</script>`,
      '<style>#site{position:relative;height:100vh;overflow:hidden}#gateway-content{position:fixed;left:0;right:0;bottom:0;height:60%;background:#fff;z-index:1000000100;padding:24px}</style>',
    ),
    gone: ['#gateway-content', '.expanded-dock'],
    stays: ['header', 'main', '.meteredContent p'],
    scrolls: true,
  },
  {
    name: 'es: you are in another country, in a bar above the shop',
    html: article(
      'es',
      '',
      '<style>.geo{position:fixed;top:0;left:0;right:0;background:#222;color:#fff;padding:12px;z-index:9999;display:flex;gap:12px}</style>',
    ).replace(
      '<header>',
      `<div class="geo"><span>Parece que estás en México. ¿Quieres ir a nuestra tienda de México?</span><select><option>México</option></select><button>Continuar</button><button aria-label="Cerrar" class="c">×</button></div><script>document.querySelector('.geo .c').onclick = () => { window.choice = 'closed'; document.querySelector('.geo').remove(); }</script><header>`,
    ),
    gone: ['.geo'],
    stays: ARTICLE,
    choice: 'closed',
  },
  {
    name: 'it: may we show where you are from, asked by a web of friends',
    html: article(
      'it',
      `<div class="x1n2onr6"><div class="x9f619" role="dialog" aria-label="Consenti l'uso dei cookie?"><h2>Consentire l'uso dei cookie in questo browser?</h2><p>I cookie ci aiutano a mostrare contenuti pertinenti e a rendere tutto più sicuro.</p><div role="button" tabindex="0" class="d1"><span>Consenti tutti i cookie</span></div><div role="button" tabindex="0" class="d2"><span>Rifiuta cookie facoltativi</span></div></div></div><script>for (const [c, w] of [['d1', 'accept'], ['d2', 'reject']]) document.querySelector('.' + c).onclick = () => { window.choice = w; document.querySelector('.x1n2onr6').remove(); }</script>`,
      '<style>.x1n2onr6{position:fixed;inset:0;background:rgba(255,255,255,.8);z-index:400}.x9f619{margin:80px auto;width:548px;background:#fff;box-shadow:0 0 20px #0004;padding:20px}</style>',
    ),
    gone: ['.x1n2onr6'],
    stays: ARTICLE,
    choice: 'reject',
  },
  {
    name: 'en: give, a sheet of a free encyclopaedia',
    html: article(
      'en',
      `<div id="frb-donate"><button class="frb-close" title="Close">✕</button><p><b>Please don’t skip this 1-minute read.</b> Most people will ignore this message. We hope you won’t. If everyone reading this gave £2, we’d reach our goal in a few hours.</p><label><input type="radio" name="amt"> £2</label><label><input type="radio" name="amt"> £10</label><label><input type="radio" name="amt"> £25</label><button>Donate</button><button>Maybe later</button></div><script>document.querySelectorAll('#frb-donate button')[2].onclick = document.querySelector('.frb-close').onclick = () => { window.choice = 'later'; document.getElementById('frb-donate').remove(); }</script>`,
      '<style>#frb-donate{position:fixed;left:0;right:0;bottom:0;height:48%;background:#fee;z-index:10000;padding:24px}</style>',
    ),
    gone: ['#frb-donate'],
    stays: ARTICLE,
    choice: 'later',
  },
  {
    name: 'nl: a pop-over that tells of changed conditions',
    html: article(
      'nl',
      `<div id="voorwaarden" popover="manual"><h3>Onze privacyverklaring is gewijzigd</h3><p>We hebben haar op 1 november bijgewerkt. <a href="/privacy">Lees wat er anders is</a></p><button class="sluit">Sluiten</button></div><script>const v = document.getElementById('voorwaarden'); v.showPopover(); v.querySelector('.sluit').onclick = () => { window.choice = 'closed'; v.hidePopover(); }</script>`,
    ),
    gone: ['#voorwaarden'],
    stays: ARTICLE,
    choice: 'closed',
  },
];
