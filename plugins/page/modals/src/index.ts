import { definePlugin } from '@platen/kernel';
import { CONSENT_RULES } from './known-managers.js';
import { removeModals } from './remove-modals.js';

/** Removes consent banners, pop-ups, overlays and paywalls before the page is captured. */
export default definePlugin({
  name: 'modals',
  tier: 'pro',
  params: {
    remove_modals: {
      type: 'boolean',
      description:
        'Remove modal overlays, popups and paywalls: consent is refused where the banner lets, other pop-ups are closed, the rest is taken away, for at most 2 seconds once the page is ready.',
      default: false,
      'x-synonyms': { block_cookie_banners: true, hide_cookie_banners: true, no_cookie_banners: true },
    },
  },
  tools: [CONSENT_RULES],
  apply({ hooks }) {
    hooks.beforeCapture.tapPromise({ name: 'modals', for: { param: 'remove_modals' } }, async (context) => {
      // A captured file shows no page.
      if (context.params.remove_modals === true && context.plan.capture.acceptsDownloads !== true) await removeModals(context);
    });
  },
});
