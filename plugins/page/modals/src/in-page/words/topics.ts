/**
 * Topics of overlays: regular expressions, matched against the visible text, case-insensitive. English first, then German, French, Spanish,
 * Italian, Portuguese, Dutch, Polish, Japanese, and additions for other languages.
 */
export const TOPICS = {
  /** A sentence that occurs only in consent notices. */
  consent: [
    'your privacy (?:is|matters)|privacy is important|privatsphäre ist|vie privée (?:est|nous)|privacidad (?:es|nos)|privacy è|privacidade é|privacy is belangrijk|prywatność jest|\\d+ (?:partners|vendors|partner|partenaires|socios|proveedores|parceiros|fornitori|partnerów|partnere)\\b',
    '\\b(?:we|(?:this|our) (?:web)?(?:site|page|shop|store)|partners|vendors)\\b[^.!?]{0,90}\\b(?:us(?:e|es|ing)|stor(?:e|es|ing)|sets?|process|place[sd]?|rel(?:y|ies))\\b[^.!?]{0,130}\\b(?:cookies?|similar technolog|information on (?:a|your) device)',
    'cookies?\\b[^.!?]{0,90}\\b(?:to (?:improve|enhance|personali[sz]e|analy[sz]e|provide|ensure|give|measure|make)|help us)\\b',
    '\\bwe (?:and our partners )?(?:value|respect|care about|take) your privacy',
    'store and/or access information on a device|do not sell (?:or share )?my|sale of (?:your )?personal|by (?:continuing|using|browsing)[^.!?]{0,90}cookies|accept (?:all )?cookies|(?:your )?cookie (?:choices|consent)',
    '(?:wir|(?:diese|unsere) (?:web)?(?:seite|site)|der shop|partner)[^.!?]{0,110}(?:verwende|nutz|setz|speicher|einsatz)[^.!?]{0,130}(?:cookies?|technologien)|cookies?[^.!?]{0,90}(?:ermöglichen|verbessern|zu analysieren|zu messen|helfen)|(?:ihre|deine) privatsphäre|datenschutz-?einstellungen',
    '(?:nous|ce site|notre site|partenaires)[^.!?]{0,110}(?:utilis|dépos|stock|recour)[^.!?]{0,130}(?:cookies?|traceurs)|(?:cookies?|traceurs)[^.!?]{0,90}(?:pour (?:améliorer|mesurer|personnaliser)|nous permettent)|votre vie privée',
    '(?:usamos|utilizamos|utiliza|empleamos|\\busa|usan)[^.!?]{0,90}cookies|(?:valoramos|respetamos|cuidamos|nos importa) (?:tu|su) privacidad',
    '(?:utilizziamo|utilizza|usiamo|\\busa|si serve|impiega)[^.!?]{0,110}cookie|(?:rispettiamo|abbiamo a cuore|teniamo a)[^.!?]{0,20}privacy',
    '(?:recorremos|recorre)[^.!?]{0,90}cookies|(?:valorizamos|respeitamos|levamos)[^.!?]{0,20}privacidade',
    '(?:gebruik(?:en|t|maken)?|plaats(?:en|t)?|zetten)\\b[^.!?]{0,130}cookies|cookies[^.!?]{0,90}(?:om (?:je|uw|onze|de)|zodat)|(?:jouw|je|uw) privacy (?:is|telt|staat)',
    '(?:używa|korzysta|stosuj|wykorzystuj)[^.!?]{0,110}(?:cookie|ciasteczek|plik(?:i|ów) cookie)|(?:cenimy|szanujemy|dbamy o) (?:twoją|państwa|waszą) prywatność',
    '(?:cookie|クッキー)[^。]{0,60}(?:使用|利用)|プライバシー[^。]{0,20}(?:尊重|大切)',
    'använder[^.!?]{0,90}(?:cookies|kakor)|(?:bruger|bruker|anvender)[^.!?]{0,90}(?:cookies|informasjonskapsler)|evästeitä|(?:používá|používáme)[^.!?]{0,90}cookie|sütiket|folosi[mț][^.!?]{0,90}cookie|çerez(?:ler)?[^.!?]{0,60}kullan|использу[^.!?]{0,60}(?:cookie|куки)|使用[^。]{0,12}cookie|쿠키를',
  ],
  /** A word that occurs in consent notices and elsewhere. */
  consentWord: [
    'cookie|privacy|consent|gdpr|ccpa|personal data|datenschutz|privatsphäre|einwilligung|vie privée|traceurs|consentement|privacidad|consentimiento|privacidade|consenso|toestemming|ciasteczk|prywatnoś|zgod[ay]|クッキー|プライバシー|個人情報|kakor|eväste|informasjonskapsler|çerez|куки|隐私|쿠키',
    'integritet|samtyck|personuppgift|personvern|samtykke|yksityisyy|suostumu|küpsis|sīkdat|slapuk|soukrom|súkrom|souhlas|súhlas|osobních údajů|süti|adatvéd|hozzájárul|confidențialit|consimțăm|date(?:le)? (?:cu caracter )?personal|колачић|kolačić|piškot|бисквитк|поверителн|конфиденц|персональн|согласи|приватніст|згод[аиуо]|персональні дані|απόρρητο|συγκατάθεση|προσωπικ(?:ά|ών) δεδομέν|gizlilik|\\brıza|kişisel veri|kvkk|ملفات (?:تعريف )?الارتباط|الخصوصية|موافق|עוגיות|פרטיות|کوکی|개인정보|개인 정보|동의|同意|个人信息|個人資料|隱私|คุกกี้|ความเป็นส่วนตัว|quyền riêng tư|privasi|कुकी|गोपनीयता',
  ],
  wall: [
    '(?:subscribe|sign up|sign in|register|log ?in|join|become a (?:member|subscriber)|create (?:an|a free) account)[^.!?]{0,25} to (?:continue|keep|read|see|view|unlock|access|finish)|(?:continue|keep) reading|(?:read|finish) (?:the|this) (?:full |rest of the |whole )?(?:article|story)|(?:subscribers?|members?)[ -](?:only|exclusive)|(?:only|exclusive(?:ly)?|reserved) (?:for|to) (?:our )?(?:subscribers|members)|already (?:a subscriber|a member|subscribed|have an account)|(?:last|more|of your|\\d+) free (?:articles?|stor)|(?:article|story) limit|unlock this (?:article|story)',
    'nur für abonnent|freie[nrs]? artikel|kostenlose[nr]? artikel|articles? gratuits?|artículos? gratis|articoli gratuiti|artigos grátis|gratis artikelen|darmowy(?:ch)? artyku|jetzt (?:abonnieren|testen) und|bereits abonn|artikel (?:freischalten|kostenlos|weiter)|exklusiv für|probeabo|um weiterzulesen|(?:jetzt|hier) weiterlesen|weiterlesen mit|mit (?:plus|abo) (?:weiter|lesen)',
    'réservée?s? (?:à|aux) (?:nos )?abonné|pour (?:lire|découvrir) la suite|abonnez-vous pour|déjà abonné|poursui(?:vre|vez) (?:la|votre) lecture|reste \\d+ ?%',
    '(?:suscríbete|regístrate|inicia sesión|hazte suscriptor)[^.!?]{0,25} para (?:seguir|continuar|leer)|(?:sigue|seguir) leyendo|(?:solo|exclusivo) para (?:nuestros )?suscriptores|ya (?:eres|soy) suscriptor',
    '(?:abbonati|registrati|accedi)[^.!?]{0,25} per (?:continuare|leggere)|(?:riservato|solo) (?:agli|per gli|ai) (?:nostri )?abbonati|già abbonat|continua a leggere',
    '(?:assine|cadastre-se|subscreva|inicie sessão)[^.!?]{0,25} para (?:continuar|ler)|exclusivo para (?:assinantes|subscritores)|já (?:é|sou) assinante|continue (?:a ler|lendo)',
    '(?:abonneer|registreer|log in|meld je aan)[^.!?]{0,30}(?:om|en)[^.!?]{0,14} lezen|(?:alleen|exclusief) voor (?:onze )?abonnees|al abonnee|verder lezen',
    '(?:kup|wykup)[^.!?]{0,20}(?:dostęp|prenumerat|subskrypcj)|dla (?:naszych )?(?:subskrybentów|prenumeratorów|abonentów)|aby (?:czytać|przeczytać|kontynuować)|masz już (?:konto|subskrypcj|prenumerat)|czytaj dalej',
    '(?:logga in|registrera dig|bli (?:medlem|prenumerant))[^.!?]{0,20} för att|(?:logg inn|bli (?:medlem|abonnent))[^.!?]{0,20} for å|(?:log ind|bliv (?:medlem|abonnent))[^.!?]{0,20} for at|(?:kirjaudu|tilaa)[^.!?]{0,20} (?:jatkaaksesi|lukeaksesi|nähdäksesi)|läs vidare|les videre|läs hela|les hele saken|læs videre|jatka lukemista|lue koko (?:juttu|artikkeli)|(?:jo|redan|allerede) (?:tilaaja|prenumerant|abonnent)',
    '(?:přihlaste se|předplaťte)[^.!?]{0,24} (?:abyste|a čtěte|pro)|pro předplatitele|(?:jelentkezz(?:en)? be|fizess(?:en)? elő)[^.!?]{0,24}(?:hogy|folytat)|előfizetőknek|(?:autentifică-te|abonează-te)[^.!?]{0,16} pentru a|doar pentru abonați|citește mai departe|(?:войдите|зарегистрируйтесь|подпишитесь|оформите подписку)[^.!?]{0,24},? чтобы|(?:только )?для подписчиков|читать (?:дальше|далее|полностью)|(?:увійдіть|зареєструйтеся|передплатіть|підпишіться)[^.!?]{0,24},? щоб|для передплатників|читати далі|(?:συνδεθείτε|εγγραφείτε)[^.!?]{0,20} για να|μόνο για συνδρομητές|(?:giriş yap|abone ol|üye ol)[^.!?]{0,20}(?:devam|okumak|görmek)|okumaya devam|sadece aboneler|للمشتركين|لمتابعة القراءة|למנויים|להמשך קריאה|(?:로그인|구독|가입)[^.!?]{0,12}(?:하면|하고|후)|이어서 (?:읽|보)|전용 (?:기사|콘텐츠)|(?:登录|注册|订阅|登入|訂閱)[^。]{0,8}(?:后|後|以|继续|繼續)|阅读全文|(?:订阅|付费|會員|会员)专享',
    '(?:会員|購読者|有料会員)(?:限定|の方|専用)|続きを読むには|続きは|残り[^。]{0,8}字',
    'ad ?-?block|werbeblocker|bloqueur de pub|bloqueador de (?:an[uú]ncios|publicidade?)|blocco (?:degli )?annunci|広告ブロック|blok(?:owanie|er|ujesz)[^.!?]{0,10} reklam|advertentieblokker|reklamblokker|annonsblocker|mainosten ?esto|blokování reklam|blokovanie reklám|reklámblokkol|blocator de reclame|блокировщик рекламы|блокувальник реклами|adblocker|reklam engelle|πρόγραμμα αποκλεισμού διαφημίσεων|مانع الإعلانات|חוסם פרסומות|광고 차단|广告拦截|廣告封鎖',
  ],
  promotion: [
    '(?:discount|off|rabatt|nachlass|réduction|remise|descuento|sconto|desconto|korting|rabatu?|zniżki)[^.!?]{0,14}\\d+ ?%',
    "don[’']t skip this|if everyone reading|\\bdonat(?:e|ion)|\\bspende[nt]?\\b|faites un don|haz (?:una|tu) donación|fai una donazione|faça uma doação|doneer|wesprzyj|przekaż darowiz|пожертв|寄付|후원",
    'help us (?:improve|make|get)|a (?:quick|short) question|got a minute|(?:hilf|helfen sie) uns|kurz zeit|kurze frage|aidez-nous|une minute pour|ayúdanos|aiutaci|ajude-nos|help ons|even tijd|pomóż nam|masz chwilę|ご協力|ご意見',
    '^advertisement|sponsored message|^anzeige\\b|^werbung\\b|^publicité|publicité$|^publicidad|^pubblicità|^publicidade|^advertentie|^reklama|^広告|skip (?:this )?ad\\b',
    "newsletter|mailing list|subscribe (?:to|and|for|now|today)|sign up (?:for|and|now|today|to (?:our|get|receive))|join (?:our|the) (?:list|club|community|mailing)|\\d+ ?% off|exclusive (?:offers?|deals?|discount|access)|(?:to|in) your inbox|before you (?:go|leave)|spin (?:the wheel|to win)|don't miss (?:out|a)|free shipping on your first",
    'abonnieren|\\d+ ?% (?:rabatt|sparen|nachlass|geschenkt)|gutschein|posteingang|verpassen? sie|infolettre|inscrivez-vous|abonnez-vous|lettre d.information|\\d+ ?% (?:de )?(?:réduction|remise)|offres? exclusives?',
    'boletín|suscr[ií]bete|\\d+ ?% (?:de )?(?:descuento|desconto)|ofertas exclusivas|iscriviti|\\d+ ?% di sconto|offerte esclusive|subscreva|inscreva-se|cadastre(?:-se)? (?:e|para|o seu)|nieuwsbrief|schrijf je (?:nu )?in|\\d+ ?% korting|kortingscode|biuletyn|zapisz się|rabat|zniżk|メールマガジン|メルマガ|ニュースレター|クーポン|割引|nyhetsbrev|nyhedsbrev|uutiskirje|odběr novinek|hírlevél|bülten|рассылк|订阅|뉴스레터',
    'open in (?:the |our )?app|(?:get|download|install|use|try) (?:our|the) (?:free |mobile )*app\\b|(?:better|faster|more) in (?:the|our) app|app (?:öffnen|herunterladen|laden|installieren|holen)|(?:télécharge[rz]|ouvr(?:ir|ez)|installe[rz])[^.!?]{0,12} (?:l.)?app|(?:descarga|abr[ei]|instala)r?(?: en)? (?:la|nuestra|gratis la) app|(?:scarica|apri|installa)[^.!?]{0,8} ?app|(?:baixe|abr[ai]r?|instale)(?: no)? (?:o|a|nosso|nossa)? ?app|(?:download|open|installeer)(?: in)? (?:de|onze) app|(?:pobierz|otwórz w|zainstaluj)[^.!?]{0,12} aplikacj|アプリ(?:で開|をダウンロード|をインストール|で見)',
    '(?:allow|enable|receive|get|turn on|send you|show)[^.!?]{0,12} notifications|benachrichtigungen|(?:recevoir|activer|autoriser)[^.!?]{0,6} notifications|(?:recibir|activar|permitir)[^.!?]{0,6} notificaciones|notifiche|notificações|(?:meldingen|notificaties) (?:ontvangen|inschakelen|toestaan|krijgen)|powiadomie|通知を(?:受け取|許可|有効)',
    '(?:short|quick|brief|our|this|minute) survey|take (?:a|the|our) survey|rate your (?:experience|visit)|how (?:likely|satisfied) (?:are|would)|your (?:feedback|opinion)|umfrage|wie zufrieden|sondage|encuesta|sondaggio|pesquisa de satisfação|inquérito|enquête|ankie(?:t|cie)|アンケート',
    'prenumerera på|anmäl dig|tilmeld dig|meld deg på|tilaa (?:uutis|kirje)|liity (?:kanta|posti)|uudised meilile|přihlas(?:te)? se k|novink[ya]|prihlás(?:te)? sa|feliratkoz|iratkozz|kupon|abonează-te|înscrie-te|buletin|noutăți|абонирай|подпи(?:ши(?:сь|тесь)|шись)|підпи(?:шись|шіться)|розсилк|εγγραφ(?:ή|είτε)|γραφτείτε|ενημερωτικ|abone ol|e-?bülten|kaydol|النشرة|اشترك|הירשמ|ניוזלטר|خبرنامه|구독|소식을 받|订阅|訂閱|电子报|電子報|สมัครรับ|bản tin|đăng ký nhận|buletin|berlangganan',
    '(?:ladda ner|hämta|hent|last ned|lataa)[^.!?]{0,12} (?:app|sovellu)|(?:stáhn|stiahn|letölt|descarcă|instalează|скача|завантаж|установи|встанови|κατεβάσ|κατέβασ|indir|yükle|tải|unduh)[^.!?]{0,22}(?:aplika|alkalmaz|aplicaț|приложен|застосун|додат|εφαρμογ|uygulama|ứng dụng)|aplikac[^.!?]{0,20}(?:stáhn|stiahn)|alkalmazás[^.!?]{0,14}letölt|uygulama[^.!?]{0,14}(?:indir|aç)|التطبيق|האפליקציה|앱(?:으로|에서|을)|(?:下载|打开|開啟|下載)[^。]{0,6}app',
    'aviseringar|pushnotis|varslinger|notifikationer|ilmoituks|oznámení|upozornění|upozornenia|értesítés|notificări|уведомлени|сповіщенн|ειδοποιήσ|bildirim|إشعارات|הודעות פוש|התראות|알림|通知|การแจ้งเตือน|सूचना(?:एँ|एं|ओं)|नोटिफ़?िकेशन|न्यूज़लेटर|thông báo|notifikasi',
    '(?:turn on|switch on|enable|activate|receive)[^.!?]{0,12} alerts|news alerts|eilmeldungen (?:erhalten|bekommen|einschalten)|(?:activer|recevoir)[^.!?]{0,6} alertes|(?:activar?|recibir)[^.!?]{0,6} (?:alertas|avisos)|(?:attiva(?:re)?|ricevere?) (?:gli )?(?:avvisi|allerte)|(?:ativar?|receber)[^.!?]{0,4} alertas|nieuwsmelding|(?:włącz(?:yć)?|otrzymuj) alerty|nyhetslarm|nyhetsvars|nyhedsvars|uutishälyty|uyarıları (?:aç|al)|(?:включить|получать) оповещ|速報を受け取',
    'never miss a|verpasse nichts|ne (?:manquez|ratez) (?:rien|aucun)|no te pierdas nada|non perderti (?:nulla|niente)|não perca nada|mis niets|nie przegap|missa inget|missa inga|gå ikke glip af|gå ikke glipp av|älä missaa|не пропустите|не пропустіть|kaçırma(?:yın)?\\b|놓치지 마|見逃さ',
    'google play|app ?store\\b|play store|sklepie play|アプリ(?:版|なら)',
    'undersökning|spørreundersøkelse|undersøgelse|kysely|průzkum|dotazník|prieskum|felmérés|kérdőív|sondaj|опрос|опитуванн|έρευνα|anket(?:imiz|e )|استطلاع|סקר|설문|问卷|問卷|khảo sát|survei',
    'erbjudande|tilbud på|tarjou(?:s|ksen)|alennu|slev[auyo]|zľav|kedvezmény|reducere|скидк|знижк|отстъпка|έκπτωση|indirim|خصم|הנחה|تخفیف|할인|쿠폰|优惠|優惠|折扣|ส่วนลด|giảm giá|diskon|kortingsbon',
    "(?:choose|select|change|confirm) your (?:country|region|location|language)|shopping (?:from|in)|visiting (?:us )?from|(?:looks like|seems|think) (?:that )?you(?:'| a|’)re|parece que est[aáà]s|il semble que vous|sembra che (?:tu|ti)|du bist (?:wohl|anscheinend)|het lijkt erop dat je|wygląda na to,? że jesteś|похоже,? (?:что )?вы|схоже,? ви|(?:ihr|dein) land (?:aus)?wähl|choisi(?:r|ssez) votre (?:pays|région)|(?:elige|selecciona) tu (?:país|región)|scegli il tuo paese|(?:selecione|escolha) (?:o )?seu país|kies (?:je|uw) land|wybierz (?:swój )?kraj|地域を選択",
  ],
  /** Snooze buttons of promotions: not to be shown again for a day or a week. */
  notToday: [
    '(?:오늘|하루|일주일|\\d+ ?일|24시간)[^.]{0,8}(?:보지|열지|띄우지|표시하지) ?않|(?:今日|本日|\\d日間|一週間)[^。]{0,8}(?:表示しない|見ない)|(?:今[日天]|本日|一周|[17]天|24小[时時])(?:[内內])?不再?(?:显示|顯示|提示|提醒|弹出|彈出)',
    "(?:don[’']?t|do not) show[^.]{0,20} (?:today|for (?:a|one|\\d+|the) (?:day|week|hour))|(?:heute|diese woche) nicht (?:mehr|wieder) (?:an)?zeigen|ne plus (?:afficher|montrer) (?:aujourd|pendant)|no (?:volver a )?mostrar (?:más )?hoy|non mostrare (?:più )?oggi|não mostrar (?:mais |novamente )?hoje|vandaag niet meer (?:tonen|weergeven)|не показывать сегодня|сегодня (?:больше )?не показывать|bugün (?:bir daha |tekrar )?gösterme|không hiển thị (?:lại )?(?:trong )?hôm nay|ไม่(?:ต้อง)?แสดง(?:อีก)?(?:ใน)?วันนี้|jangan tampilkan[^.]{0,8} hari ini",
  ],
  /** Edible cookies, a frequent joke in consent notices. */
  biscuits: ['🍪|\\bkekse?\\b|koekje|suš(?:i)?enk|ciasteczk|galletas|\\bbiscuits?\\b|biscott[io]|småka[kg]|keksejä|печень|печив|kurabiye'],
  /** Offers for new customers. */
  firstOrder: [
    '(?:first|next) (?:order|purchase)|erste[nr]? (?:bestellung|einkauf)|première (?:commande|achat)|premier achat|primer[a]? (?:pedido|compra)|primo (?:ordine|acquisto)|primeir[oa] (?:pedido|compra|encomenda)|eerste (?:bestelling|aankoop)|pierwsz(?:e|ego|ych) (?:zamówieni|zakup)|första (?:köp|beställning|order)|første (?:ordre|køb|kjøp|bestilling)|ensimmäi\\p{L}+ (?:tilau|osto)|první (?:objednáv|nákup)|prv(?:ú|ý|ej) (?:objednáv|nákup)|első (?:rendelés|vásárlás)|prima (?:comandă|cumpărătură)|перв(?:ый|ого) заказ|перше замовлення|πρώτη (?:παραγγελία|αγορά)|ilk (?:sipariş|alışveriş)|初回|첫 ?(?:주문|구매)|首[单單]|首次购',
  ],
  /** Reading in exchange for payment or registration. */
  offer: [
    'subscri|membership|abonn|abonează|abonament|suscri|assinatur|subscritor|abbona|prenumera|subskry|předplat|predplat|előfizet|abonelik|abone ol|подписк|передплат|підписк|συνδρομ|tilaaja|tilaus|구독|订阅|訂閱|購読|会員|اشتراك|מנוי|đăng ký|langganan',
  ],
  /** Purchases, bookings and deliveries in progress. */
  basket: [
    '\\b(?:basket|cart|checkout|your order|warenkorb|kasse|panier|commande|carrito|cesta|pedido|carrello|ordine|carrinho|winkelwagen|winkelmand|bestelling|koszyk|zamówien\\w*|varukorg\\w*|kassan?|kurv\\w*|handlekurv\\w*|ostoskori\\w*|košík\\w*|kosár\\w*|coșul|sepet\\w*|sipariş\\p{L}*)\\b|kosar(?:ad|am)|корзин|кошик|καλάθι|سلة|עגלה|カート|장바구니|购物车|購物車|ตะกร้า|giỏ hàng|keranjang',
  ],
  /** Age checks. They stay, since only the visitor can answer them. */
  age: [
    "(?:are you|you must be|you are|i am|i'm|confirm)[^.!?]{0,30}(?:\\b1[68]\\b|\\b21\\b|legal (?:drinking )?age|of age)|age (?:verification|check)|verify your age|(?:bist du|sind sie)[^.!?]{0,20}(?:1[68]|volljährig)|altersprüfung|plus de 18 ans|majorité|mayor(?:es)? de (?:edad|18)|maggiorenn|18 anni|maior(?:es)? de (?:18|idade)|(?:ben je|bent u)[^.!?]{0,14}1[68]|(?:ukończon|masz|mam)[^.!?]{0,14}18|(?:18|20)歳以上|edad legal|âge légal|età legale|idade legal|wettelijke leeftijd|starší(?:m)? 18|18 rokov|18 éves|elmúlt(?:ál)? 18|18 ani|больше 18|18 лет|18 років|18 ετών|18 yaş|18 år|yli 18|täysi-ikäi|만 19|19세|年满18|滿18|18 ?[岁歲]",
  ],
  /** Products and content for adults. */
  vice: [
    'alcohol|alkohol|alcool|αλκοόλ|алкогол|alkoli|כוחל|אלכוהול|الكحول|アルコール|酒|주류|담배|tobacco|tabak|tabac|\\bvape|nicotin|nikotin|cannabis|casino|gambling|adults? only|explicit content|erotic|erotik|для взрослых|성인',
  ],
  /** Requests for a password, or for a password reset: not newsletters. */
  password: [
    'passwor[dt]|passcode|kennwort|mot de passe|contraseña|palavra-passe|\\bsenha\\b|wachtwoord|hasł[oa]|パスワード|lösenord|adgangskode|passord|salasana|heslo|jelszó|\\bparola\\b|şifre|парол|κωδικ(?:ό|ού) πρόσβασης|كلمة (?:المرور|السر)|סיסמ|비밀번호|密码|密碼|รหัสผ่าน|mật khẩu|kata sandi',
  ],
  /** Chat windows, which stay. */
  chat: [
    'live[ -]?chat|chat with|start (?:a )?chat|how can (?:i|we) help|(?:ihnen|dir) (?:weiter)?helfen|puis-je vous aider|ayudarte|aiutarti|ajudar|van dienst|pomóc|チャット|お手伝い|(?<!\\p{L})чат(?!\\p{L})|чем (?:я )?(?:могу|можем) помочь|чим (?:можемо|можу) допомогти|jak (?:ti|vám) (?:můžeme|mohu) pomoci|miben segíthet|cu ce (?:te|vă) putem ajuta|hur kan (?:jag|vi) hjälpa|hvordan kan (?:jeg|vi) hjelpe|hvad kan (?:jeg|vi) hjælpe|miten voi(?:n|mme) auttaa|πώς μπορ(?:ώ|ούμε) να|yardımcı olab|كيف (?:يمكنن[اي]|أستطيع) |אפשר לעזור|무엇을 도와|채팅|상담|在线客服|線上客服|客服',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
