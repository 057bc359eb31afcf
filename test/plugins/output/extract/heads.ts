const og = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, content]) => `<meta property="og:${name}" content="${content}">`)
    .join('');
const twitter = (values: Readonly<Record<string, string>>, attribute = 'name') =>
  Object.entries(values)
    .map(([name, content]) => `<meta ${attribute}="twitter:${name}" content="${content}">`)
    .join('');
const ld = (json: string, type = 'application/ld+json') => `<script type="${type}">${json}</script>`;

/** Heads as sites of these kinds have them. */
export const HEADS: Readonly<Record<string, string>> = {
  'a newspaper': `<title>Rain ends drought | The Post</title><meta name=description content="It rained.">${og({ title: 'Rain ends drought', type: 'article', url: 'https://post.test/rain', site_name: 'The Post', locale: 'en_GB', description: 'At last.' })}
    ${ld('{"@context":"https://schema.org","@type":"NewsArticle","headline":"Rain ends drought","author":[{"@type":"Person","name":"Ada"}]}')}`,
  'a shop with two offers': `<title>Runner</title>${og({ title: 'Runner', type: 'product' })}${ld('[{"@type":"Product","name":"Runner"},{"@type":"BreadcrumbList"}]')}`,
  'WordPress with Yoast': `<title>Hello &#8211; Blog</title>${og({ title: 'Hello &#8211; Blog', locale: 'de_DE', type: 'article', site_name: 'Blog' })}${twitter({ card: 'summary_large_image', site: '@blog' })}${ld('{"@graph":[{"@type":"WebPage"},{"@type":"Person","name":"Zoë"}]}', 'application/ld+json')}`,
  'a video': `<title>Cats</title>${og({ title: 'Cats', type: 'video.other', url: 'https://v.test/watch?v=1&amp;t=2' })}${twitter({ card: 'player', title: 'Cats' })}`,
  'Twitter by property': `<title>T</title>${twitter({ card: 'summary', title: 'By property', site: '@t' }, 'property')}`,
  'Open Graph by name': `<title>N</title><meta name="og:title" content="By name"><meta name="og:type" content="website">`,
  'broken JSON-LD beside a whole one': `<title>B</title>${ld('{"@type": "A", }')}${ld('{"@type":"B"}')}`,
  'JSON-LD that is empty': `<title>E</title>${ld('')}${ld(' {"@type":"C"} ')}`,
  'several pictures': `<title>P</title><meta property="og:image" content="https://p.test/1.png"><meta property="og:image:width" content="10"><meta property="og:image" content="https://p.test/2.png">`,
  'relative addresses': `<base href="https://r.test/a/"><title>R</title><link rel=canonical href="../b?x=1#y"><link rel=icon href="i.svg" type="image/svg+xml">`,
  languages: `<title>L</title><link rel=canonical href="https://l.test/en"><link rel=alternate hreflang=de href="https://l.test/de"><link rel=alternate hreflang=x-default href="https://l.test/">${og({ title: 'L', locale: 'en_US' })}`,
  'icons of every kind': `<title>I</title><link rel="shortcut icon" href="https://i.test/favicon.ico"><link rel=apple-touch-icon sizes=180x180 href="https://i.test/touch.png"><link rel="mask-icon" href="https://i.test/mask.svg" color=red>`,
  feeds: `<title>F</title><link rel=alternate type="application/rss+xml" title=All href="https://f.test/rss"><link rel=alternate type="application/atom+xml" href="https://f.test/atom">`,
  'duplicate titles': `<title>First</title><title>Second</title><meta name=description content="one"><meta name=description content="two">${og({ title: 'D' })}`,
  'entities and quotes': `<title>Q &amp; A: &quot;why&quot;</title>${og({ title: 'Q &amp; A: &quot;why&quot;', description: 'it&#39;s' })}`,
  'a charset in http-equiv': `<meta http-equiv=Content-Type content="text/html; charset=utf-8"><title>Grüße 日本</title>${og({ title: 'Grüße 日本' })}`,
  'upper case': `<TITLE>U</TITLE><META NAME="DESCRIPTION" CONTENT="Upper"><META PROPERTY="og:title" CONTENT="Upper">`,
  'white space': `<title>\n  W\n  w  </title><meta name=description content="  spaced  ">${og({ title: 'spaced' })}`,
  'an application': `<title>App</title><meta name=viewport content="width=device-width"><meta name=theme-color content="#fff"><link rel=manifest href="/m.json"><meta name=robots content="noindex, nofollow">`,
  'nothing but a title': '<title>Only</title>',
};
