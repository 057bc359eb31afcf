const ROLES = [
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary',
  'contentinfo definition deletion dialog directory document emphasis feed figure form grid gridcell group heading img insertion link',
  'list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option',
  'progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong',
  'subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem',
]
  .join(' ')
  .split(' ');

const REQUIRED: Readonly<Record<string, string>> = {
  checkbox: 'aria-checked=true',
  combobox: 'aria-expanded=false',
  heading: 'aria-level=3',
  menuitemcheckbox: 'aria-checked=false',
  menuitemradio: 'aria-checked=true',
  meter: 'aria-valuenow=3 aria-valuemin=0 aria-valuemax=9',
  option: 'aria-selected=true',
  radio: 'aria-checked=true',
  scrollbar: 'aria-valuenow=3 aria-controls=x',
  slider: 'aria-valuenow=3 aria-valuemin=0 aria-valuemax=9',
  switch: 'aria-checked=true',
};

const INPUTS =
  'button checkbox color date datetime-local email file image month number password radio range reset search submit tel text time url week'.split(
    ' ',
  );

/** Pages that between them hold what accessibility trees are made of. */
export const PAGES = {
  '/roles': ROLES.map((role) => `<div role="${role}" aria-label="the ${role}" ${REQUIRED[role] ?? ''}>text of ${role}</div>`).join('\n'),
  '/names': `<span id=a>First</span><span id=b>and last</span><input aria-labelledby="a b">
    <label for=c>By label</label><input id=c><label>Wrapped <input></label><img src=data:, alt="By alt"><button title="By title"></button>
    <button>By <b>content</b></button><button aria-label="By aria-label">x</button><a href=/x><img src=data:, alt="Picture"> in link</a>
    <input placeholder="By placeholder"><fieldset><legend>Legend</legend><input type=checkbox aria-label=in></fieldset>
    <button aria-describedby=a>described</button><table><caption>Caption</caption><tr><td>cell</table><figure><img src=data:, alt=f><figcaption>Figure</figcaption></figure>`,
  '/states': `<input type=checkbox checked aria-label=c1><input type=checkbox id=m aria-label=c2><script>m.indeterminate=true</script>
    <button aria-expanded=true>e1</button><button aria-expanded=false>e2</button><button disabled>d</button><input required aria-label=r>
    <input readonly aria-label=ro value=x><button aria-pressed=true>p1</button><button aria-pressed=mixed>p2</button><input aria-invalid=true aria-label=i>
    <select multiple aria-label=s><option selected>o1<option>o2</select><h1>h1</h1><h4>h4</h4><div role=tree><div role=treeitem aria-level=2 aria-selected=true>t</div></div>
    <div role=spinbutton aria-valuenow=5 aria-valuemin=1 aria-valuemax=8 aria-label=sp></div><button aria-roledescription=slide>rd</button><button aria-haspopup=menu>hp</button>
    <progress value=3 max=9 aria-label=pr></progress><meter value=.5 aria-label=me></meter><div aria-busy=true role=region aria-label=busy>b</div>`,
  '/live': `<div aria-live=polite>polite</div><div role=alert>alert</div><div role=status>status</div><div role=log aria-live=off>log</div><output>out</output><div aria-live=assertive aria-atomic=true><p>assertive</p></div>
    <div><div aria-busy=true>unnamed and busy</div></div><div aria-live=polite></div>`,
  '/dialogs': `<p>behind</p><dialog open aria-label=plain>plain dialog <button>a</button></dialog><div role=dialog aria-modal=true aria-label=aria><button>b</button></div><div role=alertdialog aria-label=alert>!</div>`,
  '/modal': `<p>behind</p><button>behind too</button><dialog id=d aria-label=modal>modal dialog <button>a</button><p>more</p></dialog><script>d.showModal()</script>`,
  '/tables': `<table><caption>Numbers</caption><thead><tr><th>A<th>B</thead><tbody><tr><th scope=row>r<td>1<tr><td colspan=2>2</tbody></table>
    <div role=table aria-label=t><div role=rowgroup><div role=row><span role=columnheader>h</span><span role=cell>c</span></div></div></div>
    <div role=grid aria-label=g><div role=row><div role=gridcell tabindex=0>x</div></div></div><table role=presentation><tr><td>layout</table>`,
  '/lists': `<ul><li>one<li>two<ul><li>nested</ul></ul><ol start=3><li>three</ol><dl><dt>term<dd>details</dl><menu><li>m</menu><div role=list><div role=listitem>i</div></div>`,
  '/widgets': `<select aria-label=one><option>a<option selected>b<optgroup label=g><option>c</optgroup></select><select size=3 aria-label=many><option>x<option selected>y</select>
    <input list=l aria-label=dl><datalist id=l><option value=q></datalist><div role=listbox aria-label=lb tabindex=0><div role=option aria-selected=true>o</div><div role=option>p</div></div>
    <div role=combobox aria-expanded=true aria-controls=p tabindex=0 aria-label=cb>v</div><ul role=listbox id=p aria-label=pop><li role=option>w</ul>
    <div role=menubar><div role=menuitem aria-haspopup=true>File<div role=menu><div role=menuitemcheckbox aria-checked=true>wrap</div></div></div></div>
    <div role=tablist><button role=tab aria-selected=true>t1</button><button role=tab>t2</button></div><div role=tabpanel aria-label=panel>content</div>
    <div role=radiogroup aria-label=rg><div role=radio aria-checked=true tabindex=0>r1</div><div role=radio aria-checked=false>r2</div></div><textarea aria-label=ta>text</textarea>`,
  '/inputs': INPUTS.map((type) => `<input type=${type} aria-label="the ${type}">`).join('\n'),
  '/details': `<details><summary>closed</summary>inside closed</details><details open><summary>open</summary><p>inside open</p></details>`,
  '/svg': `<svg width=40 height=40><title>A drawing</title><circle r=9></circle></svg><svg role=img aria-label=icon width=9 height=9><path d="M0 0h9v9"></path></svg>
    <a href=/><svg width=9 height=9><title>in link</title><rect width=9 height=9></rect></svg></a><canvas width=9 height=9></canvas><canvas width=9 height=9><button>fallback</button></canvas>
    <video width=99 height=99 aria-label=film></video><map name=m><area href=/a alt=area shape=rect coords=0,0,9,9></map><img src=data:, usemap=#m alt=mapped width=9 height=9>`,
  '/shadow': `<my-card><span>slotted</span></my-card><my-list></my-list><script>
    document.querySelector('my-card').attachShadow({mode:'open'}).innerHTML='<section aria-label=card><h2>Shadow</h2><slot></slot><button>in shadow</button></section>';
    const s=document.querySelector('my-list').attachShadow({mode:'open'}); s.innerHTML='<ul><li>x</ul><deep-er></deep-er>';
    s.querySelector('deep-er').attachShadow({mode:'open'}).innerHTML='<a href=/deep>deep</a>'</script>`,
  '/landmarks': `<header>h</header><nav aria-label=n><a href=/>home</a></nav><main><article><h1>t</h1><p>para <em>em</em> <strong>st</strong> <code>c</code> <a href=/b>l</a>.</p><blockquote>q</blockquote><pre>x
  y</pre><hr><time>now</time><mark>m</mark><abbr title=a>ab</abbr></article><aside>as</aside><section aria-label=se>s</section><form aria-label=fo><input aria-label=i></form><search>se</search></main><footer>f</footer>`,
  '/frames': `<h1>outer</h1><iframe title=same src=/inner></iframe><iframe title=written srcdoc="<h2>written</h2><button>in written</button>"></iframe><p>after`,
  '/cross': `<h1>outer</h1><iframe title=cross src="//localhost:PORT/nest"></iframe><iframe title=direct src="//localhost:PORT/inner"></iframe><p>after`,
  '/nest': `<h2>nest</h2><iframe title=back src="//127.0.0.1:PORT/inner"></iframe><button>in nest</button>`,
  '/inner': `<h2>inner</h2><p>text <a href=x>link</a></p><input aria-label=field>`,
} as const satisfies Readonly<Record<string, string>>;
