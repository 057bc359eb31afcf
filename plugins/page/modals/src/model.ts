import type { Model } from './in-page/modal-finder.js';

/**
 * What tells a modal from a part of the page: features that are there or not, and what each is worth. `in-page/modal-features.ts` says when
 * one is there. The score of a kind is the sum of how the thing lies over the page (no more than `most`), of what the page's own parts have,
 * and of the kind's own features, of which one of the core must be there. The kind with the highest score is the thing's, if it reaches the
 * threshold. Words are a part of it only: no place makes a modal, and hardly a word does by itself.
 */
export const MODEL: Model = {
  threshold: 4,
  most: 2.5,
  place: {
    /** In the browser's top layer: a modal dialog or a popover. */
    topLayer: 1,
    /** It, its backdrop, or what lies beside it, shades the whole page. */
    dims: 1.5,
    /** The page behind cannot be scrolled, and this shades or covers it. */
    locksPage: 1,
    /** It was not there when the page was ready. */
    late: 1,
    dialogRole: 0.5,
    covers: 0.5,
    /** It hides a page that goes on behind it, and says little. */
    hides: 1.5,
    /** From edge to edge at the head or the foot, fixed. */
    strip: 0.5,
    /** Fixed, and neither from edge to edge nor tall. */
    card: 0.5,
    /** In front of all else: a z-index of 9999 and more. */
    inFront: 0.5,
    /** After the page's main part, as scripts append things. */
    appended: 0.5,
    /** In the page's own flow. */
    flow: -2,
  },
  own: {
    /** Navigation, toolbar, menu. */
    furniture: -5,
    /** A header or a footer. */
    landmark: -2,
    /** Links to the page's own parts. */
    contents: -5,
    /** It holds the page's main part, or an article. */
    holdsPage: -7,
    player: -7,
    /** Upon a part of the page's content: what stands for an embedded film or map until that is wanted. */
    uponContent: -4,
    chat: -4,
    /** A basket, an order, a booking. */
    basket: -5,
    /** Asks for an age, to which only the visitor has the answer. */
    age: -9,
    /** Asks for a password, and nothing is shaded. */
    password: -3,
  },
  kinds: [
    {
      kind: 'consent',
      core: {
        /** A sentence that only a notice has. */
        consentSentence: 3,
        /** A word that a notice has, and much else too. */
        consentWord: 1.5,
        /** Its makers call it so, or it is a known manager's: id, class, label, address of a frame. */
        consentName: 2.5,
        /** Boxes to tick, of which one is always ticked. */
        purposes: 1.5,
        /** A button for no more than what is needed. */
        necessary: 1.5,
        /** A frame in it holds one. */
        frameConsent: 5,
      },
      support: {
        policyLink: 0.5,
        /** The joke about the other kind. */
        biscuits: 1,
        accepts: 1,
        refuses: 0.5,
        /** More than one answer: yes and no, or one of them and the settings. */
        choice: 1.5,
        /** Little text, and one to four buttons. */
        asks: 0.5,
        closes: 0.5,
      },
      against: {
        noAnswer: -1.5,
        /** By text; but not where it shades a page that goes on behind it, or stands in its corner. */
        mostOfPage: -1,
        /** A field to write in, other than an address. */
        writes: -4,
        longInFlow: -4,
        manyLinks: -1,
        nearlyAllOfPage: -6,
        endless: -6,
      },
    },
    {
      kind: 'wall',
      core: {
        /** A sentence that only a wall has. */
        wallSentence: 2.5,
        /** A subscription, a membership. */
        offerWord: 1,
        /** It shades a page that is locked and made unreadable. */
        hostage: 2,
        /** Whatever may be clicked is to log in, to join or to buy. */
        onlyOffers: 1.5,
        /** Links to buy one and to log in, side by side. */
        offerLinks: 1.5,
        frameWall: 5,
      },
      support: {
        /** It follows text that was cut off. */
        behindCut: 2,
        /** Such text is somewhere. */
        pageIsCut: 0.5,
        /** To buy a subscription, or to log in. */
        offerLink: 0.5,
        price: 0.5,
      },
      against: {
        sticky: -3,
        /** A page that is a login is no wall in front of anything. */
        isLogin: -6,
        /** What the page is about is not in front of it. */
        pageIsOffer: -3,
        tool: -5,
        manyLinks: -3,
        mostOfPage: -1.5,
        long: -5,
      },
    },
    {
      kind: 'promotion',
      core: {
        /** Newsletters, discounts, apps, notifications, surveys, countries, advertisements. */
        promotionSentence: 2,
        /** One field for an address, and no password. */
        mailField: 2,
        /** To a store of apps. */
        storeLink: 2.5,
        /** Not to be shown again for a day or a week. */
        notToday: 2.5,
        /** A large picture that leads away. */
        pictureLink: 1,
        /** Marks to give. */
        scale: 2,
        framePromotion: 5,
      },
      support: {
        discount: 0.5,
        closes: 1,
        /** "No, thanks". */
        refuses: 1.5,
      },
      against: {
        sticky: -1,
        flow: -3,
        /** What the page has to say of its state. */
        message: -5,
        writes: -1.5,
        /** Who wants an address for news wants no password. */
        asksPassword: -5,
        tool: -5,
        manyLinks: -3,
        mostOfPage: -4,
        long: -5,
      },
    },
    {
      kind: 'dialog',
      core: {
        /** Short, with nothing to fill in or to look at, over a page that says much more. */
        idle: 1,
      },
      support: { closes: 1.5 },
      against: {
        /** Neither in the top layer nor above a backdrop. */
        unshaded: -2,
        message: -5,
        tool: -5,
        manyLinks: -3,
        mostOfPage: -4,
      },
    },
  ],
};
