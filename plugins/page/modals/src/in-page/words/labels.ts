/** Button labels: case-insensitive regular expressions. Roles are checked in this order. */
export const LABELS = {
  /** Buttons that lead away or cost something are never clicked, whatever else the label says: "Reject and subscribe". */
  avoid: [
    "subscri|\\bpay(?:ing)?\\b|\\bbuy\\b|purchase|log ?in|sign ?(?:in|up)|register|abonn|\\babo\\b|bezahl|kaufen|anmelden|registrier|payer|acheter|connex|connect|s['’]inscrire|suscri|pagar|comprar|iniciar|abbon|acquist|accedi|assin|entrar|betal|koop|inloggen|kup|płac|zaloguj|購読|購入|ログイン|prenumer|\\bköp|logga in|registrera|kjøp|køb|\\bosta\\b|tilaa|kirjaudu|koupit|předplat|přihlásit|vásár|előfizet|bejelentkez|cumpăr|abonează|autentific|купить|подпис|оформить|войти|купити|передплат|увійти|αγορ|σύνδεση|συνδρομή|satın al|abone|giriş yap|اشترك|شراء|تسجيل الدخول|구독|결제|로그인|구매|订阅|购买|登录",
  ],
  /** Continue to the page behind. */
  leave: [
    '(?:continue|proceed|go|on|back|return) to (?:the |our )?(?:web ?)?(?:site|page|article|content|home)|skip (?:this )?ad|weiter zur (?:web)?(?:seite|site)|(?:zurück )?zum artikel|werbung überspringen|(?:accéder|continuer|aller|retour) (?:au|vers le) site|passer (?:la|cette) (?:publicité|annonce)|(?:ir|continuar|volver) al sitio|saltar (?:el )?anuncio|(?:vai|continua|torna) al sito|salta|(?:ir|continuar) para o site|pular|naar de (?:web)?site|overslaan|przejdź do (?:serwisu|strony)|pomiń|サイトへ|スキップ',
    '(?:continue|stay) in (?:the |my )?browser|im browser (?:weiter|bleiben|fortfahren)|(?:continuer|rester) (?:dans|sur) le navigateur|(?:seguir|continuar) en el navegador|continua (?:nel|sul) browser|continuar no navegador|(?:verder|blijven?) in de browser|in de browser (?:verder|blijven)|(?:kontynuuj|zostań) w przeglądarce|v prohlížeči|i webbläsaren|i nettleseren|i browseren|selaimessa|в браузере|у браузері|tarayıcıda|브라우저(?:에서|로) (?:계속|볼)|浏览器(?:中)?(?:继续|打开)',
    '^(?:no,? )?(?:stay|remain) (?:on|in|here|with)\\b|(?:hier|im .{1,20}) bleiben$|^rester (?:sur|ici|en)\\b|^(?:quedarme|permanecer|quedarse) |^(?:rimani|resta) (?:su|qui|in)\\b|^(?:ficar|continuar) (?:aqui|neste|nesta)\\b|^blijf (?:op|hier|in)\\b|^zostań |^stanna (?:på|här)|^bliv (?:på|her)|^bli (?:på|her)|^pysy |このまま|ブラウザで(?:続|見)',
  ],
  /** Necessary cookies only: a label that hardly occurs outside of consent notices. */
  necessary: [
    '(?:only|just) (?:the )?(?:strictly )?(?:necessary|essential|required|functional|needed)|(?:necessary|essentials?|required)(?: cookies)? only',
    '(?:nur|lediglich)[^.]{0,24}(?:notwendig|nötig|erforderlich|essenziell|essentiell|funktional|technisch)',
    '(?:seulement|uniquement|juste)[^.]{0,20}(?:nécessaires|essentiels)|(?:nécessaires|essentiels)[^.]{0,12}(?:uniquement|seulement)',
    '(?:s[oó]lo|únicamente)[^.]{0,16}(?:necesari|esencial)|(?:solo|soltanto)[^.]{0,14}(?:necessari|essenziali|tecnici)|(?:só|somente|apenas)[^.]{0,14}(?:necessári|essenciais)',
    '(?:alleen|enkel|slechts)[^.]{0,14}(?:noodzakelijk|nodig|functione|essenti)|tylko (?:te )?(?:niezbędne|konieczne|wymagane|potrzebne)|(?:必要|必須)[^。]{0,8}(?:のみ|だけ)',
    '(?:bara|endast|enbart)[^.]{0,10}nödvändig|(?:kun|bare)[^.]{0,12}(?:nødvendig|påkrævede)|vain (?:pakollis|tarpeellis|välttämät)|(?:jen|pouze|iba|len)[^.]{0,8}(?:nezbytn|nevyhnutn|technick|nutn|potřebn)',
    'csak[^.]{0,10}(?:szükséges|feltétlen)|doar[^.]{0,8}(?:necesare|esențiale)|samo (?:nužn|nujn|neophodn)|только (?:необходим|обязательн|нужн)|лише (?:необхідн|обов)|тільки (?:необхідн|потрібн)|μόνο τα (?:απαραίτητα|αναγκαία)',
    '(?:yalnızca|sadece)[^.]{0,8}(?:gerekli|zorunlu)|الضرورية فقط|רק הכרחי|فقط ضروری|필수(?:만| 쿠키만|항목만)|僅必要|仅限必要',
  ],
  refuse: [
    '^(?:no|nope|nein|nö|non|nee|nie|não|nej|nei|ei|ne|hayır|нет|いいえ)(?:$|[,.! –-])',
    '^(?:later|luego|después|depois|dopo|sonra|あとで)$',
    '^(?:nu|ні|όχι|لا|아니요|아니오|不|nem|ne,? děkuji|ni|ek)(?:$|[,.! –-])',
    "reject|decline|refuse|\\bdeny|disagree|opt[ -]?out|do(?: not|n'?t|n’t) (?:accept|agree|allow|consent|sell)|without (?:accepting|agreeing|consent)|\\bno,? thank|\\bnot now|maybe later|not interested|remind me later",
    'ablehn|verweiger|ohne (?:einwilligung|zustimmung|zu akzeptieren)|nicht (?:zustimmen|akzeptieren|einverstanden)|\\bnein,? danke|später|widersprechen',
    'refuser|rejeter|je refuse|sans accepter|\\bnon,? merci|plus tard',
    'rechaz|denegar|no acept|sin aceptar|\\bno,? gracias|ahora no|más tarde',
    'rifiut|\\bnega\\b|senza accettare|\\bno,? grazie|non accett|non ora|più tardi',
    'rejeit|recus|sem aceitar|não,? obrigad|não aceit|agora não|mais tarde',
    'weiger|afwijz|liever niet|zonder (?:te )?accepteren|niet akkoord|\\bnee,? (?:bedankt|dank)|niet nu|misschien later',
    'odrzu[cć]|odmaw|nie (?:zgadzam|wyrażam|akceptuj|zezwalam)|bez (?:zgody|akceptacji)|\\bnie,? dzięk|nie teraz|później',
    '拒否|同意しない|許可しない|いいえ|今はしない|後で|結構です',
    'avvisa|\\bneka\\b|endast nödvändig|\\bafvis|kun nødvendig|avslå|bare nødvendig|hylkää|vain välttämättöm|odmítn|pouze nezbytné|elutasít|respinge|reddet|отклонить|только необходим|拒绝|仅必要|거부',
    'avböj|nej,? tack|inte nu|senare|nei,? takk|ikke nå|senere|nej,? tak|ikke nu|afslå|kieltäydy|\\bkiellä|en hyväksy|ei kiitos|myöhemmin|en nyt',
    'zamítn|odmiet|nesouhlas|nesúhlas|ne,? děkuji|nie,? ďakujem|teď ne|později|neskôr|elutasít|visszautas|nem,? köszön|most nem|később|nem járulok|refuz|nu,? mulțumesc|nu acum|mai târziu|odbij|odbaci|zavrni|отхвърл|откаж',
    'отказ(?:аться|ать)?|отклон|не соглас|нет,? спасибо|не сейчас|позже|потом|відхил|відмов|ні,? дякую|не зараз|пізніше|απόρριψη|απορρίπτω|άρνηση|όχι,? ευχαριστώ|όχι τώρα|αργότερα|reddet|\\bret\\b|reddediyorum|hayır,? teşekkür|şimdi değil|daha sonra',
    'رفض|أرفض|لاحقا|ليس الآن|لا شكرا|דחה|דחיית|סירוב|לא תודה|לא עכשיו|אחר כך|رد کردن|거절|나중에|괜찮습니다|다음에|全部拒绝|拒絕|不同意|不了|以后再说|稍后|稍後|ปฏิเสธ|ไม่ใช่ตอนนี้|từ chối|để sau|không,? cảm ơn|tolak|nanti|अस्वीकार|बाद में|नहीं|ไม่ ?ขอบคุณ|không đồng ý|keeldu|noraid|atmesti|nesutinku',
  ],
  settings: [
    '(?:let me|i want to) choose|my choices|purposes|setting|preference|manage|customi[sz]e|options|more info|learn more|details|einstellung|anpassen|auswahl|paramétr|personnalis|gérer|configur|gestion|personaliz|preferenz|preferência|opções|instelling|voorkeur|aanpassen|ustawienia|zarządzaj|dostosuj|設定|カスタマイズ|詳細|inställning|indstilling|innstilling|asetukset|nastavení|ayarlar|настро|välj själv|anpassa|hantera|tilpas|vælg|velg|muokkaa|valitse|hallitse|přizpůsob|upravit|podrobn|prispôsob|beállít|testresz|részletek|setări|alege|personaliz|detalii|подробн|выбрать|налашт|детальніше|ρυθμίσ|προτιμήσ|επιλογές|tercih|yönet|özelleştir|إعدادات|تخصيص|הגדרות|설정|자세히|관리|设置|設定|更多|ตั้งค่า|cài đặt|tùy chỉnh|pengaturan|seaded|iestatījum|nustatym|postavke|nastavitve|[şs]ă aleg',
  ],
  accept: [
    '\\b(?:take|give me|want) (?:them )?all\\b|nehme? (?:sie )?alle|prends tou[st]|quiero todas|li prendo tutti|quero todos|geef (?:mij|me) (?:ze )?alle|biorę wszystkie|beru všechny|beriem všetky|jag tar alla|jeg tar alle|jeg tager alle|otan kaikki',
    "^(?:yes|sure|sounds good|fine|alright|alles klar|in ordnung|ja|oui|sí|sì|sim|tak|vale|certo|perfetto|はい)(?:$|[,.! ])|accept|agree|allow|consent|\\bgot it|^ok(?:ay)?\\b|\\bi understand|enable|continue|akzeptier|zustimm|einverstanden|erlauben|zulassen|verstanden|autoriser|d'accord|compris|acept|permit|entendido|de acuerdo|accett|accon|ho capito|va bene|aceit|concord|entendi|akkoord|toestaan|begrepen|akceptuj|zgadzam|zezw[aó]l|rozumiem|同意|許可|了解|承諾|受け入れ|godkänn|tillåt|tillad|godta|hyväksy|přijmout|souhlas|elfogad|kabul|принять|согласен|接受|동의|samtyck|jag förstår|godkend|accepter|samtykk|jeg forstår|salli|suostun|ymmärrän|povol|přijm|prijať|rozum[íi]|elfogadom|rendben|értem|hozzájárul|accept[aă]|de acord|am înțeles|în regulă|permite|прин(?:ять|имаю)|соглас(?:ен|иться|на)|разреш|хорошо|понятно|прийня|погодж|зрозуміло|добре|дозвол|αποδοχή|αποδέχομαι|συμφωνώ|εντάξει|kabul|onayla|tamam|izin ver|anladım|قبول|أوافق|موافق|السماح|حسنا|אישור|אני מסכימ|הבנתי|קבל|허용|확인|수락|同意|允许|我知道|好的|ยอมรับ|ตกลง|đồng ý|chấp nhận|setuju|terima|स्वीकार|सहमत|अनुमति|nõustu|piekrītu|sutinku|prihva[tć]|sprejm|slažem|приемам|съгласен",
  ],
  close: [
    '^(?:[×✕✖⨉xX]|close|schlie(?:ß|ss)en|fermer|cerrar|chiudi|fechar|sluiten|zamknij|閉じる|stäng|luk|lukk|sulje|zavřít|bezárás|închide|kapat|закрыть|关闭|닫기|dismiss|skip)(?![a-z])|close (?:dialog|modal|popup|banner|this|window)|^(?:schliessen|κλείσιμο|закрити|إغلاق|סגור|סגירה|بستن|關閉|zatvoriť|zatvori|zapri|zárd be|închidere|lukke|stänga|ปิด|đóng|tutup|sulge|aizvērt|uždaryti|затвори)(?!\\p{L})|(?:dialog|fenster|fenêtre|ventana|finestra|janela|venster|okno)[^.]{0,3} ?(?:schließen|fermer|cerrar|chiudi|fechar|sluiten|zamknij)',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** For the `class`, `id` or `data-` attribute of close buttons. */
export const CLOSE_NAMES = '(?:^|[-_\\s])(?:close|dismiss)(?:$|[-_\\s]|btn|button|icon)|closebtn|btnclose|closebutton|modalclose';
