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
        'Remove modal overlays, popups and paywalls: refuse consent where the banner allows it, close other pop-ups, remove the rest. Takes at most 2 seconds once the page is ready.',
      default: false,
      'x-synonyms': { block_cookie_banners: true, hide_cookie_banners: true, no_cookie_banners: true },
      'x-search': ['cookie banner', 'consent', 'gdpr'],
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
