"""Signs queries as a client in Python would: one JSON list of pairs a line in, one JSON object of signed queries a line out."""
import hashlib, hmac, json, sys
from urllib.parse import quote, quote_plus, urlencode

SECRET = sys.argv[1].encode()
SPELLINGS = {
    "python": lambda pairs: urlencode(pairs),
    "rfc3986": lambda pairs: urlencode(pairs, quote_via=quote, safe=""),
    "form": lambda pairs: urlencode(pairs, quote_via=lambda text, *_: quote_plus(text, safe="*").replace("~", "%7E")),
    # As PHP's http_build_query.
    "php": lambda pairs: urlencode(pairs, quote_via=lambda text, *_: quote_plus(text, safe="").replace("~", "%7E")),
}

for line in sys.stdin:
    pairs = sorted((key.encode(), value.encode()) for key, value in json.loads(line))
    pairs = [(key.decode(), value.decode()) for key, value in pairs]
    signed = {}
    for name, spell in SPELLINGS.items():
        query = spell(pairs)
        signed[name] = query + "&signature=" + hmac.new(SECRET, query.encode(), hashlib.sha256).hexdigest()
    print(json.dumps(signed))
