import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber, type Prober } from '../probe.js';

let site: Site;
let prober: Prober;
beforeAll(async () => {
  site = await openSite({
    '/': ({ headers }) => ({
      headers: { 'accept-ch': 'Sec-CH-UA-Form-Factors' },
      body: `<script>
        report = (async () => {
          const { mobile, formFactors } = await navigator.userAgentData.getHighEntropyValues(['formFactors']);
          const sent = ${JSON.stringify(headers['sec-ch-ua-mobile'])};
          return { mobile, formFactors, sent, sentForm: await (await fetch('/form')).text() };
        })();
      </script>`,
    }),
    '/form': ({ headers }) => String(headers['sec-ch-ua-form-factors']),
  });
  prober = openProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

it.each([
  ['Pixel 5', true, 'Mobile'],
  ['Galaxy Tab S4', false, 'Tablet'],
])('client hints say what the preset is: %s', async (device, mobile, form) => {
  const { report } = await prober.probe({ url: site.url('/'), device });
  expect(report).toEqual({ mobile, formFactors: [form], sent: mobile ? '?1' : '?0', sentForm: `"${form}"` });
});
