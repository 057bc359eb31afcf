import type { Feature } from './modal-features.js';
import type { ModalKind } from './modal-traits.js';

/** By feature; see `modal-features.ts`. */
export type Weights = Readonly<Partial<Record<Feature, number>>>;

interface Model {
  readonly threshold: number;
  readonly place: Weights;
  /** Maximum sum of the `place` weights. */
  readonly most: number;
  readonly own: Weights;
  readonly kinds: readonly { readonly kind: ModalKind; readonly core: Weights; readonly support: Weights; readonly against: Weights }[];
}

/**
 * Scores that distinguish modals from ordinary page content. Each feature is either present or absent (see `modal-features.ts`) and
 * has a weight. The score of a kind is the sum of `place` (how the element overlays the page, at most `most`), `own` (signs of ordinary
 * page content) and the features of the kind, of which at least one `core` feature is required. An element gets the kind with the highest
 * score that reaches the threshold. Words alone are not enough: position alone makes no modal, and few words do.
 */
export const MODEL: Model = {
  threshold: 4,
  most: 2.5,
  place: {
    /** In the browser's top layer: a modal dialog or a popover. */
    topLayer: 1,
    /** The element, its backdrop or a sibling darkens the whole page. */
    dims: 1.5,
    /** The page cannot be scrolled, and the element darkens or covers it. */
    locksPage: 1,
    /** The element was absent when the page was ready. */
    late: 1,
    dialogRole: 0.5,
    covers: 0.5,
    /** It hides a longer page behind it and has little text. */
    hides: 1.5,
    /** Fixed, edge to edge at the top or the bottom. */
    strip: 0.5,
    /** Fixed, neither edge to edge nor tall. */
    card: 0.5,
    /** A z-index of 9999 or more. */
    inFront: 0.5,
    /** After the main content, where scripts append elements. */
    appended: 0.5,
    /** In normal flow. */
    flow: -2,
  },
  own: {
    /** Navigation, toolbar, menu. */
    furniture: -5,
    /** A header or a footer. */
    landmark: -2,
    /** Links to other parts of the page, such as a table of contents. */
    contents: -5,
    /** It contains the main content or an article. */
    holdsPage: -7,
    player: -7,
    /** Over a part of the page's content, such as the placeholder of an embedded video or map. */
    uponContent: -4,
    chat: -4,
    /** A shopping cart, an order or a booking. */
    basket: -5,
    /** Asks for the visitor's age, which only the visitor can answer. */
    age: -9,
    /** Asks for a password, without a darkened page. */
    password: -3,
  },
  kinds: [
    {
      kind: 'consent',
      core: {
        /** A sentence that occurs only in consent notices. */
        consentSentence: 3,
        /** A word that occurs in consent notices and elsewhere. */
        consentWord: 1.5,
        /** Its id, class, label or frame URL names it a consent notice or a known consent manager. */
        consentName: 2.5,
        /** Checkboxes, one of which is always checked. */
        purposes: 1.5,
        /** A button for necessary cookies only. */
        necessary: 1.5,
        /** A frame in it contains a consent notice. */
        frameConsent: 5,
      },
      support: {
        policyLink: 0.5,
        /** A joke about edible cookies. */
        biscuits: 1,
        accepts: 1,
        refuses: 0.5,
        /** More than one answer: yes and no, or one of them and the settings. */
        choice: 1.5,
        /** Little text and one to four buttons. */
        asks: 0.5,
        closes: 0.5,
      },
      against: {
        noAnswer: -1.5,
        /** Most of the page's text, unless the element darkens a page behind it or is in its corner. */
        mostOfPage: -1,
        /** A text field other than for an address. */
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
        /** A sentence that occurs only in paywalls and login walls. */
        wallSentence: 2.5,
        /** A subscription or a membership. */
        offerWord: 1,
        /** It darkens a page that is locked and unreadable. */
        hostage: 2,
        /** All its buttons and links are for login, membership or purchase. */
        onlyOffers: 1.5,
        /** Several links to buy or to log in. */
        offerLinks: 1.5,
        frameWall: 5,
      },
      support: {
        /** It follows truncated text. */
        behindCut: 2,
        /** The page has truncated text. */
        pageIsCut: 0.5,
        /** A link to buy a subscription or to log in. */
        offerLink: 0.5,
        price: 0.5,
      },
      against: {
        sticky: -3,
        /** The page itself is a login page. */
        isLogin: -6,
        /** The page itself is about the offer. */
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
        /** Newsletters, discounts, apps, notifications, surveys, country selection, advertisements. */
        promotionSentence: 2,
        /** One field for an email address, and no password field. */
        mailField: 2,
        /** A link to an app store. */
        storeLink: 2.5,
        /** "Do not show again" for a day or a week. */
        notToday: 2.5,
        /** A large image that links to another page. */
        pictureLink: 1,
        /** A rating scale. */
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
        /** A status message of the page. */
        message: -5,
        writes: -1.5,
        /** Newsletter forms do not ask for a password. */
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
        /** Short, with neither fields nor media, over a page with much more text. */
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
