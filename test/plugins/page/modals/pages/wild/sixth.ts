import { buildPages } from '../page.js';

const SHADE =
  '<style>body{overflow:hidden}.s{position:fixed;inset:0;background:#000a;z-index:99;display:grid;place-items:center}.b{background:#fff;padding:30px;width:380px}</style>';

/** Short pages again: six traps and four modals, written after the rules were mended by the fifth set. */
export const SIXTH = buildPages([
  {
    name: 'en: a friend to share pictures with',
    body: '<main><h1>Photo</h1></main><div class="s"><div class="b"><h2>Share this album</h2><input type="email" placeholder="Email of a friend"><button>Send invite</button><button>No, keep it private</button></div></div>',
    head: SHADE,
    stays: ['.s', '.b', '.b input'],
  },
  {
    name: 'de: an account about to be deleted',
    body: '<main><h1>Konto</h1></main><div class="s"><div class="b" role="alertdialog"><h2>Konto löschen?</h2><p>Alle Daten gehen verloren.</p><button>Nein, behalten</button><button>Löschen</button></div></div>',
    head: SHADE,
    stays: ['.s', '.b'],
  },
  {
    name: 'fr: a newsletter about to be sent',
    body: '<main><h1>Éditeur</h1></main><div class="s"><div class="b" role="dialog"><h2>Envoyer la newsletter</h2><p>À 1 204 abonnés.</p><input type="text" value="Objet"><input type="datetime-local"><button>Annuler</button><button>Envoyer</button></div></div>',
    head: SHADE,
    stays: ['.s', '.b'],
  },
  {
    name: 'es: a code for a basket',
    body: '<main><h1>Tu cesta</h1><p>30 €</p></main><div class="s"><div class="b"><h2>¿Tienes un cupón?</h2><p>Añade tu código de descuento al pedido.</p><input type="text" name="codigo"><button>Aplicar</button><button>No, gracias</button></div></div>',
    head: SHADE,
    stays: ['.s', '.b'],
  },
  {
    name: 'it: a call, in a corner',
    body: '<main><h1>Ufficio</h1></main><div class="c"><b>Chiamata in arrivo</b><button>Rifiuta</button><button>Rispondi</button></div>',
    head: '<style>.c{position:fixed;right:16px;bottom:16px;width:280px;background:#222;color:#fff;padding:20px;z-index:9}</style>',
    stays: ['.c'],
  },
  {
    name: 'en: a radio, in a corner',
    body: '<main><h1>Radio</h1></main><div class="c"><b>Now playing</b><button>⏮</button><button>⏯</button><button>⏭</button><button aria-label="Close">×</button><p>Subscribe to this station</p></div>',
    head: '<style>.c{position:fixed;left:16px;bottom:16px;width:280px;background:#222;color:#fff;padding:20px;z-index:9}</style>',
    stays: ['.c'],
  },
  {
    name: 'nl: a newsletter over the price of a bicycle',
    body: '<main><h1>Fietsen</h1><p>Stadsfiets 499 €</p></main><div class="s"><div class="b"><h2>10% korting?</h2><p>Schrijf je in voor de nieuwsbrief.</p><input type="email"><button>Ja graag</button><button class="n">Nee, bedankt</button></div></div>',
    head: SHADE,
    gone: ['.s', '.b'],
    stays: ['main'],
  },
  {
    name: 'ru: notifications over the weather',
    body: '<main><h1>Погода</h1><p>+3, дождь.</p></main><div class="s"><div class="b"><p>Разрешите уведомления, чтобы знать о дожде.</p><button>Разрешить</button><button>Не сейчас</button></div></div>',
    head: SHADE,
    gone: ['.s', '.b'],
    stays: ['main'],
  },
  {
    name: 'cs: an app in the corner of a timetable',
    body: '<main><h1>Jízdní řád</h1><p>Praha 8:15</p></main><div class="c"><button aria-label="Zavřít">×</button><p>Stáhněte si naši aplikaci.</p><a href="https://play.google.com/store/apps/x">Stáhnout</a></div>',
    head: '<style>.c{position:fixed;right:16px;bottom:16px;width:280px;background:#fff;padding:20px;z-index:9}</style>',
    gone: ['.c'],
    stays: ['main'],
  },
  {
    name: 'en: a survey over the price of a car park',
    body: '<main><h1>Parking</h1><p>Zone B, 2 $ an hour.</p></main><dialog class="d"><h2>Got a minute?</h2><p>Take our survey and help us improve.</p><a href="https://survey.example/x">Take the survey</a><button>No thanks</button></dialog><script>document.querySelector("dialog").showModal()</script>',
    gone: ['.d'],
    stays: ['main'],
  },
]);
