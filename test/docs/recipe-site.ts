import { openSite, type Site } from '../helpers/site.js';

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title><style>
  body { margin: 0; padding: 40px; font: 24px/1.4 sans-serif; color: #123; background: #f6f4ee }
  @media (prefers-color-scheme: dark) { body { color: #eee; background: #181818 } }
  h1 { margin-top: 0 }
</style>${body}`;

const product = (name: string, price: string) => `<div class="product"><h2>${name}</h2><span class="price">${price}</span></div>`;

const SHOP = `<style>
  body { height: 1460px } h1 { height: 40px; margin: 0 0 40px }
  .product { box-sizing: border-box; width: 480px; height: 160px; margin-bottom: 40px; padding: 20px; background: #fff; border-left: 8px solid #c63 }
  h2 { margin: 0 }
</style><h1>Tea shop</h1>${product('Assam', '€ 9.50')}${product('Sencha', '€ 12.00')}${product('Oolong', '€ 1,299.50')}`;

const LOGIN = `<form method="post" action="/account"><label>Email <input name="email"></label><label>Password <input name="password" type="password"></label><button>Sign in</button></form>`;

const NEWS = `<h1 style="font-size:24px;font-weight:400">Tea prices fall</h1><iframe src="/ads/frame"></iframe><script src="/ads/ad.js"></script>
<div role="dialog" style="position:fixed;inset:auto 0 0 0;background:#fff;padding:20px;z-index:9"><p>We use cookies. Your privacy matters to us.</p>
<button onclick="this.parentElement.remove()">Reject all</button> <button onclick="this.parentElement.remove()">Accept all</button></div>`;

const ARTICLE = `<nav><a href="/">Home</a> <a href="/shop">Shop</a></nav><article><h1>How to brew tea</h1>
<p>Boil <em>fresh</em> water, and wait for 3 minutes. Green tea likes cooler water than black tea does, so let the kettle rest before you pour.</p>
<ol><li>Warm the pot, because a cold one takes the heat that the leaves need to open.</li><li>Add the leaves, one spoon for each cup and one more for the pot itself.</li>
<li>Pour, cover the pot, and serve as soon as the time is up.</li></ol></article><footer>© The tea shop</footer>`;

const INVOICE = `<h1>Invoice 17</h1><p>Ten boxes of tea</p><p style="break-before:page">Terms</p>`;
const SPIN = `<div style="width:300px;height:300px;background:#c63;animation:spin 2s linear infinite"></div><style>@keyframes spin { to { rotate: 1turn } }</style>`;
const APP = `<main></main><script>setTimeout(() => { document.querySelector('main').innerHTML = '<p class="loaded">3 new messages</p>'; }, 700)</script>`;

/** The site of the recipes: what https://example.com/ is in them. */
export async function openRecipeSite(): Promise<Site> {
  return await openSite({
    '/': page('Tea', '<h1>Tea, slowly</h1><p>Leaves from three gardens.</p><a href="/shop">Shop</a> <a href="/about">About us</a>'),
    '/shop': page('Shop', SHOP),
    '/about': page('About us', '<h1>About us</h1><p>We sell tea.</p>'),
    '/invoice': page('Invoice 17', INVOICE),
    '/login': page('Login', LOGIN),
    '/account': (request) =>
      request.method === 'POST'
        ? { status: 303, headers: { location: '/account', 'set-cookie': 'user=ada@example.com' } }
        : page('Account', request.headers.cookie === 'user=ada@example.com' ? '<p>Welcome, ada@example.com</p>' : '<p>Please sign in</p>'),
    '/news': page('News', NEWS),
    '/ads/frame': '<p>Buy coffee!</p>',
    '/ads/ad.js': { headers: { 'content-type': 'text/javascript' }, body: 'document.body.append("Buy coffee!")' },
    '/app': page('Mail', APP),
    '/article': page('How to brew tea', ARTICLE),
    '/animation': page('Animation', SPIN),
    '/slow': page('Slow', '<h1>Slow</h1><script src="/slow.js"></script>'),
    '/slow.js': { headers: { 'content-type': 'text/javascript' }, body: '' },
    '/hook': { status: 204 },
  });
}
