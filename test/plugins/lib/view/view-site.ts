import { openSite, type Site } from '../../../helpers/site.js';

const CARDS = Array.from({ length: 120 }, (_, at) => {
  const id = String(at + 1);
  return `<li class=card><a href="/product/${id}"><img src="/dot.svg" alt="Photo of garden chair ${id}" width=80 height=80><h3>Garden chair ${id}, oak</h3></a>
    <p class=price>${String(20 + at)}.90 €</p><p>4.${String(at % 10)} of 5 stars (${id} reviews)</p><button>Add to cart</button></li>`;
}).join('');

const FORM = `<!doctype html><html lang=en><title>Sign  up</title><body style="margin:0;font:16px sans-serif">
  <h1>Create an account</h1>
  <form action=/join><label>Name <input name=name value="Ada &quot;L&quot;" required></label>
  <label>Mail <input type=email placeholder="you@example.com"></label>
  <label><input type=checkbox checked> I agree</label>
  <label>Plan <select><option>Free<option selected>Team<option>Business</select></label>
  <fieldset><legend>Contact</legend><label><input type=radio name=c> Mail only</label><label><input type=radio name=c checked> Phone</label></fieldset>
  <button disabled>Next</button><a href="/terms?a=1">Terms</a> <a href="https://elsewhere.test/help">Help</a></form>
  <div onclick="1" style="width:120px">Skip this step</div><div contenteditable style="width:99px">Notes</div>
  <p style="opacity:0">unseen</p><p style="font-size:1px">tiny</p><p style="position:absolute;left:-999px">away</p>
  <div id=host></div>
  <script>
    const inner = host.attachShadow({ mode: 'closed' });
    inner.innerHTML = '<button>In the shadow</button>';
  </script>
  <iframe title=Payment src="CROSS" width=300 height=100></iframe>
  <p style="margin-top:900px">Far below <a href=/end>the end</a></p>`;

const SHOP = `<!doctype html><html lang=en><title>Chairs</title><style>body{margin:0;font:14px sans-serif}ul{display:grid;grid-template-columns:repeat(5,1fr);list-style:none;padding:0;margin:0}</style>
  <header><nav aria-label=Main><a href=/>Home</a> <a href=/chairs>Chairs</a></nav><input type=search placeholder=Search aria-label="Search products"></header>
  <main><h1>Garden chairs</h1><ul>${CARDS}</ul></main>`;

/** A form with a frame of another site and a closed shadow root, and a shop of 120 products. */
export function openViewSite(): Promise<Site> {
  return openSite({
    '/form': (request) => FORM.replace('CROSS', `http://localhost:${request.headers.host?.split(':')[1] ?? ''}/card`),
    '/card': '<!doctype html><body style="margin:0"><label>Card <input value=4111></label><button>Pay</button>',
    '/shop': SHOP,
    '/dot.svg': {
      headers: { 'content-type': 'image/svg+xml' },
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
    },
  });
}
