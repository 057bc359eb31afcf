/** A page as seen in the wild, and what a person would want to be gone from it and to stay on it. */
export interface ModalPage {
  readonly name: string;
  readonly html: string;
  /** Documents of frames, by path; the path `/frame` of the page's own host or of the other one. */
  readonly frame?: string;
  /** Selectors of what must not be seen; ` >>> ` goes into a shadow root. */
  readonly gone: readonly string[];
  readonly stays: readonly string[];
  /** What the page's own script must have noted in `window.choice`; unset: it must have noted nothing. */
  readonly choice?: string;
  /** It comes after the page has loaded. */
  readonly late?: true;
  /** The page must be scrollable afterwards. */
  readonly scrolls?: true;
}

/** As a page is written in the sets. */
interface PageSource extends Partial<Omit<ModalPage, 'name' | 'html'>> {
  /** Begins with the language of the page's text and a colon. */
  readonly name: string;
  /** The language, where it is another. */
  readonly lang?: string;
  /** All of the body; without it, an article between header and footer. */
  readonly body?: string;
  /** After the article. */
  readonly over?: string;
  /** At the end of the head. */
  readonly head?: string;
  /** A tag of the article, and what comes in its place. */
  readonly replaces?: string;
  readonly by?: string;
}

/** Nothing goes, and the whole article stays, unless a page says otherwise. */
export function buildPages(sources: readonly PageSource[]): readonly ModalPage[] {
  return sources.map(({ name, lang = name.slice(0, name.indexOf(':')), body, over = '', head, replaces = '', by = '', ...expected }) => ({
    name,
    html: body === undefined ? article(lang, over, head).replace(replaces, by) : html(lang, body, head),
    gone: [],
    stays: ['main', 'article p', 'header', 'footer'],
    ...expected,
  }));
}

const SENTENCES: Readonly<Record<string, string>> = {
  en: 'The river rose by half a metre during the night and flooded the lower meadows. Farmers had moved their cattle to higher ground two days before. The council will discuss a new dam in its meeting on Thursday.',
  de: 'Der Fluss stieg in der Nacht um einen halben Meter und überflutete die unteren Wiesen. Die Bauern hatten ihr Vieh schon zwei Tage vorher auf höheres Gelände gebracht. Der Gemeinderat berät am Donnerstag über einen neuen Damm.',
  fr: 'La rivière est montée d’un demi-mètre pendant la nuit et a inondé les prés du bas. Les éleveurs avaient conduit leurs bêtes sur les hauteurs deux jours plus tôt. Le conseil parlera jeudi d’un nouveau barrage.',
  es: 'El río subió medio metro durante la noche e inundó los prados más bajos. Los ganaderos habían llevado sus animales a terrenos más altos dos días antes. El ayuntamiento hablará el jueves de una nueva presa.',
  it: 'Nella notte il fiume è salito di mezzo metro e ha allagato i prati più bassi. Gli allevatori avevano portato il bestiame più in alto due giorni prima. Il consiglio parlerà giovedì di una nuova diga.',
  pt: 'O rio subiu meio metro durante a noite e inundou os prados mais baixos. Os criadores tinham levado o gado para terrenos mais altos dois dias antes. A câmara vai falar na quinta-feira de uma nova barragem.',
  nl: 'De rivier steeg in de nacht een halve meter en zette de lage weiden onder water. De boeren hadden hun vee twee dagen eerder al naar hoger gelegen grond gebracht. De gemeenteraad praat donderdag over een nieuwe dam.',
  pl: 'Rzeka podniosła się w nocy o pół metra i zalała niżej położone łąki. Rolnicy dwa dni wcześniej przenieśli bydło na wyższe tereny. Rada gminy w czwartek porozmawia o nowej tamie.',
  da: 'Åen steg en halv meter i løbet af natten og oversvømmede de lave enge. Landmændene havde flyttet deres kvæg til højere jord to dage før. Byrådet taler på torsdag om en ny dæmning.',
  ja: '川の水位は夜のうちに五十センチ上がり、低い土地の牧草地に水があふれた。 農家の人々は二日前に牛を高い場所へ移していた。 町議会は木曜日に新しい堤防について話し合う。',
  sv: 'Älven steg en halv meter under natten och svämmade över de låga ängarna. Bönderna hade flyttat djuren till högre mark två dagar tidigare. Kommunen talar på torsdag om en ny damm.',
  fi: 'Joki nousi yön aikana puoli metriä ja peitti alavat niityt. Karja oli viety ylemmäs kaksi päivää aikaisemmin. Kunnanvaltuusto puhuu torstaina uudesta padosta.',
  cs: 'Řeka v noci stoupla o půl metru a zaplavila nízké louky. Sedláci odvedli dobytek výš už dva dny předtím. Zastupitelé budou ve čtvrtek mluvit o nové hrázi.',
  hu: 'A folyó az éjjel fél métert emelkedett, és elöntötte az alacsony réteket. A gazdák két nappal korábban magasabbra hajtották az állatokat. A tanács csütörtökön beszél az új gátról.',
  tr: 'Nehir gece yarım metre yükseldi ve alçak çayırları su bastı. Çiftçiler hayvanlarını iki gün önce yükseğe çıkarmıştı. Meclis perşembe günü yeni bendi konuşacak.',
  ru: 'За ночь река поднялась на полметра и затопила нижние луга. Крестьяне увели скот на холмы ещё два дня назад. В четверг совет обсудит новую плотину.',
  uk: 'За ніч річка піднялася на пів метра й залила нижні луки. Селяни вивели худобу вище ще два дні тому. У четвер рада говоритиме про нову греблю.',
  ko: '밤사이 강물이 반 미터 불어나 낮은 목초지가 물에 잠겼다. 농부들은 이틀 전에 소를 높은 곳으로 옮겨 두었다. 군의회는 목요일에 새 둑을 논의한다.',
  el: 'Το ποτάμι ανέβηκε μισό μέτρο τη νύχτα και πλημμύρισε τα χαμηλά λιβάδια. Οι κτηνοτρόφοι είχαν πάει τα ζώα ψηλότερα δύο μέρες πριν. Το συμβούλιο θα μιλήσει την Πέμπτη για νέο φράγμα.',
  ro: 'Râul a crescut peste noapte cu jumătate de metru și a inundat pajiștile joase. Țăranii își duseseră vitele mai sus cu două zile înainte. Consiliul vorbește joi despre un dig nou.',
  ar: 'ارتفع النهر نصف متر أثناء الليل وغمر المروج المنخفضة. نقل المزارعون مواشيهم إلى أرض أعلى قبل يومين. يناقش المجلس يوم الخميس سدا جديدا.',
  no: 'Elva steg en halv meter i løpet av natten og flommet over de lave engene. Bøndene hadde flyttet dyrene høyere to dager tidligere. Kommunen snakker torsdag om en ny demning.',
};

/** So many paragraphs of text in a language. */
export function paragraphs(lang: string, count = 14): string {
  return `<p>${SENTENCES[lang] ?? ''}</p>`.repeat(count);
}

const HEAD =
  '<meta name="viewport" content="width=device-width"><style>body{margin:0;font:16px/1.5 sans-serif}main{max-width:720px;margin:0 auto}header,footer{padding:16px;background:#eee}</style>';

/** A whole document; `head` comes last in its head. */
export function html(lang: string, body: string, head = ''): string {
  return `<!doctype html><html lang="${lang}"><head>${HEAD}${head}</head><body>${body}</body></html>`;
}

/** An article between header and footer, with what lies over it. */
export function article(lang: string, over: string, head = ''): string {
  const text = `<header><nav><a href="/a">A</a> <a href="/b">B</a> <a href="/c">C</a></nav></header><main><h1>1</h1><article>${paragraphs(lang)}</article></main><footer><a href="/cookies">Cookies</a> · <a href="/privacy">Privacy</a></footer>`;
  return html(lang, text + over, head);
}

/** Script that notes what a button means and takes elements away. */
export function chooses(selector: string, choice: string, removes: string): string {
  return `document.querySelector('${selector}').addEventListener('click', () => { window.choice = '${choice}'; document.querySelector('${removes}').remove(); });`;
}
