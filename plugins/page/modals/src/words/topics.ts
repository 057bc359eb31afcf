/**
 * What overlays are about: regular expressions, matched in the overlay's visible text without regard to case. English first, then German,
 * French, Spanish, Italian, Portuguese, Dutch, Polish, Japanese, and what other languages need of their own.
 */
export const TOPICS = {
  /** A sentence that only a consent notice has. */
  consent: [
    'your privacy (?:is|matters)|privacy is important|privatsphäre ist|vie privée (?:est|nous)|privacidad (?:es|nos)|privacy è|privacidade é|privacy is belangrijk|prywatność jest|\\d+ (?:partners|vendors|partner|partenaires|socios|proveedores|parceiros|fornitori|partnerów|partnere)\\b',
    '\\b(?:we|(?:this|our) (?:web)?(?:site|page|shop|store)|partners|vendors)\\b[^.!?]{0,90}\\b(?:us(?:e|es|ing)|stor(?:e|es|ing)|sets?|process|place[sd]?|rel(?:y|ies))\\b[^.!?]{0,130}\\b(?:cookies?|similar technolog|information on (?:a|your) device)',
    'cookies?\\b[^.!?]{0,90}\\b(?:to (?:improve|enhance|personali[sz]e|analy[sz]e|provide|ensure|give|measure|make)|help us)\\b',
    '\\bwe (?:and our partners )?(?:value|respect|care about|take) your privacy',
    'store and/or access information on a device|by (?:continuing|using|browsing)[^.!?]{0,90}cookies|accept (?:all )?cookies|(?:your )?cookie (?:choices|consent)',
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
  /** A word that a consent notice has, and much else too. */
  consentWord: [
    'cookie|privacy|consent|gdpr|ccpa|personal data|datenschutz|privatsphäre|einwilligung|vie privée|traceurs|consentement|privacidad|consentimiento|privacidade|consenso|toestemming|ciasteczk|prywatnoś|zgod[ay]|クッキー|プライバシー|個人情報|kakor|eväste|informasjonskapsler|çerez|куки|隐私|쿠키',
  ],
  wall: [
    '(?:subscribe|sign up|sign in|register|log ?in|join|become a (?:member|subscriber)|create (?:an|a free) account)[^.!?]{0,25} to (?:continue|keep|read|see|view|unlock|access|finish)|(?:continue|keep) reading|(?:read|finish) (?:the|this) (?:full |rest of the |whole )?(?:article|story)|(?:subscribers?|members?)[ -](?:only|exclusive)|(?:only|exclusive(?:ly)?|reserved) (?:for|to) (?:our )?(?:subscribers|members)|already (?:a subscriber|a member|subscribed|have an account)|(?:last|more|of your|\\d+) free (?:articles?|stor)|(?:article|story) limit|unlock this (?:article|story)',
    'nur für abonnent|jetzt (?:abonnieren|testen) und|bereits abonn|artikel (?:freischalten|kostenlos|weiter)|exklusiv für|probeabo|um weiterzulesen|(?:jetzt|hier) weiterlesen|weiterlesen mit|mit (?:plus|abo) (?:weiter|lesen)',
    'réservée?s? (?:à|aux) (?:nos )?abonné|pour (?:lire|découvrir) la suite|abonnez-vous pour|déjà abonné|poursui(?:vre|vez) (?:la|votre) lecture|reste \\d+ ?%',
    '(?:suscríbete|regístrate|inicia sesión|hazte suscriptor)[^.!?]{0,25} para (?:seguir|continuar|leer)|(?:sigue|seguir) leyendo|(?:solo|exclusivo) para (?:nuestros )?suscriptores|ya (?:eres|soy) suscriptor',
    '(?:abbonati|registrati|accedi)[^.!?]{0,25} per (?:continuare|leggere)|(?:riservato|solo) (?:agli|per gli|ai) (?:nostri )?abbonati|già abbonat|continua a leggere',
    '(?:assine|cadastre-se|subscreva|inicie sessão)[^.!?]{0,25} para (?:continuar|ler)|exclusivo para (?:assinantes|subscritores)|já (?:é|sou) assinante|continue (?:a ler|lendo)',
    '(?:abonneer|registreer|log in|meld je aan)[^.!?]{0,30}(?:om|en)[^.!?]{0,14} lezen|(?:alleen|exclusief) voor (?:onze )?abonnees|al abonnee|verder lezen',
    '(?:kup|wykup)[^.!?]{0,20}(?:dostęp|prenumerat|subskrypcj)|dla (?:naszych )?(?:subskrybentów|prenumeratorów|abonentów)|aby (?:czytać|przeczytać|kontynuować)|masz już (?:konto|subskrypcj|prenumerat)|czytaj dalej',
    '(?:会員|購読者|有料会員)(?:限定|の方|専用)|続きを読むには|続きは|残り[^。]{0,8}字',
    'ad ?-?block|werbeblocker|bloqueur de pub|bloqueador de (?:anuncios|publicidad)|blocco (?:degli )?annunci|広告ブロック|blok(?:owanie|er|ujesz)[^.!?]{0,10} reklam|advertentieblokker|reklamblokker',
  ],
  promotion: [
    '(?:discount|off|rabatt|nachlass|réduction|remise|descuento|sconto|desconto|korting|rabatu?|zniżki)[^.!?]{0,14}\\d+ ?%',
    'help us (?:improve|make|get)|a (?:quick|short) question|got a minute|(?:hilf|helfen sie) uns|kurz zeit|kurze frage|aidez-nous|une minute pour|ayúdanos|aiutaci|ajude-nos|help ons|even tijd|pomóż nam|masz chwilę|ご協力|ご意見',
    '^advertisement|sponsored message|^anzeige\\b|^werbung\\b|^publicité|publicité$|^publicidad|^pubblicità|^publicidade|^advertentie|^reklama|^広告|skip (?:this )?ad\\b',
    "newsletter|mailing list|subscribe (?:to|and|for|now|today)|sign up (?:for|and|now|today|to (?:our|get|receive))|join (?:our|the) (?:list|club|community|mailing)|\\d+ ?% off|exclusive (?:offers?|deals?|discount|access)|(?:to|in) your inbox|before you (?:go|leave)|spin (?:the wheel|to win)|don't miss (?:out|a)|free shipping on your first",
    'abonnieren|\\d+ ?% (?:rabatt|sparen|nachlass|geschenkt)|gutschein|posteingang|verpassen? sie|infolettre|inscrivez-vous|abonnez-vous|lettre d.information|\\d+ ?% (?:de )?(?:réduction|remise)|offres? exclusives?',
    'boletín|suscr[ií]bete|\\d+ ?% (?:de )?(?:descuento|desconto)|ofertas exclusivas|iscriviti|\\d+ ?% di sconto|offerte esclusive|subscreva|inscreva-se|cadastre(?:-se)? (?:e|para|o seu)|nieuwsbrief|schrijf je (?:nu )?in|\\d+ ?% korting|kortingscode|biuletyn|zapisz się|rabat|zniżk|メールマガジン|メルマガ|ニュースレター|クーポン|割引|nyhetsbrev|nyhedsbrev|uutiskirje|odběr novinek|hírlevél|bülten|рассылк|订阅|뉴스레터',
    'open in (?:the |our )?app|(?:get|download|install|use|try) (?:our|the) (?:free |mobile )*app\\b|(?:better|faster|more) in (?:the|our) app|app (?:öffnen|herunterladen|laden|installieren|holen)|(?:télécharge[rz]|ouvr(?:ir|ez)|installe[rz])[^.!?]{0,12} (?:l.)?app|(?:descarga|abr[ei]|instala)r?(?: en)? (?:la|nuestra|gratis la) app|(?:scarica|apri|installa)[^.!?]{0,8} ?app|(?:baixe|abr[ai]r?|instale)(?: no)? (?:o|a|nosso|nossa)? ?app|(?:download|open|installeer)(?: in)? (?:de|onze) app|(?:pobierz|otwórz w|zainstaluj)[^.!?]{0,12} aplikacj|アプリ(?:で開|をダウンロード|をインストール|で見)',
    '(?:allow|enable|receive|get|turn on|send you|show)[^.!?]{0,12} notifications|benachrichtigungen|(?:recevoir|activer|autoriser)[^.!?]{0,6} notifications|(?:recibir|activar|permitir)[^.!?]{0,6} notificaciones|notifiche|notificações|(?:meldingen|notificaties) (?:ontvangen|inschakelen|toestaan|krijgen)|powiadomie|通知を(?:受け取|許可|有効)',
    '(?:short|quick|brief|our|this|minute) survey|take (?:a|the|our) survey|rate your (?:experience|visit)|how (?:likely|satisfied) (?:are|would)|your (?:feedback|opinion)|umfrage|wie zufrieden|sondage|encuesta|sondaggio|pesquisa de satisfação|inquérito|enquête|ankie(?:t|cie)|アンケート',
    "(?:choose|select|change|confirm) your (?:country|region|location|language)|shopping (?:from|in)|visiting (?:us )?from|(?:looks like|seems) (?:that )?you(?:'| a|’)re|(?:ihr|dein) land (?:aus)?wähl|choisi(?:r|ssez) votre (?:pays|région)|(?:elige|selecciona) tu (?:país|región)|scegli il tuo paese|(?:selecione|escolha) (?:o )?seu país|kies (?:je|uw) land|wybierz (?:swój )?kraj|地域を選択",
  ],
  /** A question to which only the visitor has the answer: what asks it stays. */
  age: [
    "(?:are you|you must be|you are|i am|i'm|confirm)[^.!?]{0,30}(?:\\b1[68]\\b|\\b21\\b|legal (?:drinking )?age|of age)|age (?:verification|check)|verify your age|(?:bist du|sind sie)[^.!?]{0,20}(?:1[68]|volljährig)|altersprüfung|plus de 18 ans|majorité|mayor(?:es)? de (?:edad|18)|maggiorenn|18 anni|maior(?:es)? de (?:18|idade)|(?:ben je|bent u)[^.!?]{0,14}1[68]|(?:ukończon|masz|mam)[^.!?]{0,14}18|(?:18|20)歳以上",
  ],
  /** Who talks to the visitor stays. */
  chat: [
    'live[ -]?chat|chat with|start (?:a )?chat|how can (?:i|we) help|(?:ihnen|dir) (?:weiter)?helfen|puis-je vous aider|ayudarte|aiutarti|ajudar|van dienst|pomóc|チャット|お手伝い',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
