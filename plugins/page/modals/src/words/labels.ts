/** What is written on buttons: regular expressions, matched in a button's name without regard to case. A name is judged in this order. */
export const LABELS = {
  /** What leads away or costs something is never clicked, whatever else it says: "Reject and subscribe". */
  avoid: [
    "subscri|\\bpay(?:ing)?\\b|\\bbuy\\b|purchase|log ?in|sign ?(?:in|up)|register|abonn|\\babo\\b|bezahl|kaufen|anmelden|registrier|payer|acheter|connex|connect|s['’]inscrire|suscri|pagar|comprar|iniciar|abbon|acquist|accedi|assin|entrar|betal|koop|inloggen|kup|płac|zaloguj|購読|購入|ログイン",
  ],
  /** The way to the page behind. */
  leave: [
    '(?:continue|proceed|go|on|back|return) to (?:the |our )?(?:web ?)?(?:site|page|article|content|home)|skip (?:this )?ad|weiter zur (?:web)?(?:seite|site)|(?:zurück )?zum artikel|werbung überspringen|(?:accéder|continuer|aller|retour) (?:au|vers le) site|passer (?:la|cette) (?:publicité|annonce)|(?:ir|continuar|volver) al sitio|saltar (?:el )?anuncio|(?:vai|continua|torna) al sito|salta|(?:ir|continuar) para o site|pular|naar de (?:web)?site|overslaan|przejdź do (?:serwisu|strony)|pomiń|サイトへ|スキップ',
  ],
  refuse: [
    '^(?:no|nope|nein|nö|non|nee|nie|não|nej|nei|ei|ne|hayır|нет|いいえ)(?:$|[,.! –-])',
    "reject|decline|refuse|\\bdeny|disagree|opt[ -]?out|do(?: not|n'?t|n’t) (?:accept|agree|allow|consent|sell)|without (?:accepting|agreeing|consent)|(?:only|just) (?:the )?(?:strictly )?(?:necessary|essential|required|functional)|(?:necessary|essentials?|required)(?: cookies)? only|\\bno,? thank|\\bnot now|maybe later|not interested|remind me later",
    'ablehn|verweiger|ohne (?:einwilligung|zustimmung|zu akzeptieren)|(?:nur|lediglich)[^.]{0,24}(?:notwendig|erforderlich|essenziell|essentiell|funktional|technisch)|nicht (?:zustimmen|akzeptieren|einverstanden)|\\bnein,? danke|später|widersprechen',
    'refuser|rejeter|je refuse|sans accepter|(?:seulement|uniquement)[^.]{0,20}(?:nécessaires|essentiels)|(?:nécessaires|essentiels)[^.]{0,12}(?:uniquement|seulement)|\\bnon,? merci|plus tard',
    'rechaz|denegar|no acept|(?:s[oó]lo|únicamente)[^.]{0,16}(?:necesari|esencial)|sin aceptar|\\bno,? gracias|ahora no|más tarde',
    'rifiut|\\bnega\\b|(?:solo|soltanto)[^.]{0,14}(?:necessari|essenziali|tecnici)|senza accettare|\\bno,? grazie|non accett|non ora|più tardi',
    'rejeit|recus|(?:só|somente|apenas)[^.]{0,14}(?:necessári|essenciais)|sem aceitar|não,? obrigad|não aceit|agora não|mais tarde',
    'weiger|afwijz|alleen[^.]{0,14}(?:noodzakelijk|functione|essenti)|zonder (?:te )?accepteren|niet akkoord|\\bnee,? (?:bedankt|dank)|niet nu|misschien later',
    'odrzu[cć]|odmaw|nie (?:zgadzam|wyrażam|akceptuj|zezwalam)|tylko (?:niezbędne|konieczne|wymagane)|bez (?:zgody|akceptacji)|\\bnie,? dzięk|nie teraz|później',
    '拒否|同意しない|許可しない|(?:必要|必須)[^。]{0,8}のみ|いいえ|今はしない|後で|結構です',
    'avvisa|\\bneka\\b|endast nödvändig|\\bafvis|kun nødvendig|avslå|bare nødvendig|hylkää|vain välttämättöm|odmítn|pouze nezbytné|elutasít|respinge|reddet|отклонить|только необходим|拒绝|仅必要|거부',
  ],
  settings: [
    '(?:let me|i want to) choose|my choices|purposes|setting|preference|manage|customi[sz]e|options|more info|learn more|details|einstellung|anpassen|auswahl|paramétr|personnalis|gérer|configur|gestion|personaliz|preferenz|preferência|opções|instelling|voorkeur|aanpassen|ustawienia|zarządzaj|dostosuj|設定|カスタマイズ|詳細|inställning|indstilling|innstilling|asetukset|nastavení|ayarlar|настро',
  ],
  accept: [
    "^(?:yes|sure|sounds good|fine|alright|alles klar|in ordnung|ja|oui|sí|sì|sim|tak|vale|certo|perfetto|はい)(?:$|[,.! ])|accept|agree|allow|consent|\\bgot it|^ok(?:ay)?\\b|\\bi understand|enable|continue|akzeptier|zustimm|einverstanden|erlauben|zulassen|verstanden|autoriser|d'accord|compris|acept|permit|entendido|de acuerdo|accett|accon|ho capito|va bene|aceit|concord|entendi|akkoord|toestaan|begrepen|akceptuj|zgadzam|zezw[aó]l|rozumiem|同意|許可|了解|承諾|受け入れ|godkänn|tillåt|tillad|godta|hyväksy|přijmout|souhlas|elfogad|kabul|принять|согласен|接受|동의",
  ],
  close: [
    '^(?:[×✕✖⨉xX]|close|schlie(?:ß|ss)en|fermer|cerrar|chiudi|fechar|sluiten|zamknij|閉じる|stäng|luk|lukk|sulje|zavřít|bezárás|închide|kapat|закрыть|关闭|닫기|dismiss|skip)(?![a-z])|close (?:dialog|modal|popup|banner|this|window)|(?:dialog|fenster|fenêtre|ventana|finestra|janela|venster|okno)[^.]{0,3} ?(?:schließen|fermer|cerrar|chiudi|fechar|sluiten|zamknij)',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** In the `class`, `id` or `data-` attribute of what closes an overlay. */
export const CLOSE_NAMES = '(?:^|[-_\\s])(?:close|dismiss)(?:$|[-_\\s]|btn|button|icon)|closebtn|btnclose|closebutton|modalclose';
