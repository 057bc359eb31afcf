/** The browser and user environment as a page sees it. Sizes in CSS pixels. */
export interface DeviceProfile {
  readonly width: number;
  readonly height: number;
  readonly deviceScaleFactor: number;
  readonly mobile: boolean;
  /** 0: no touch. */
  readonly touchPoints: number;
  /** Undefined: the browser's own, without the headless marker. */
  readonly userAgent: string | undefined;
  /** `navigator.platform`. */
  readonly platform: string | undefined;
  /** The platform of the client hints, in the spelling of `navigator.platform`; undefined: derived from the user agent. */
  readonly hintsPlatform: string | undefined;
  /** The mobile client hint. Undefined: the same as `mobile`, except for a tablet's user agent. */
  readonly hintsMobile: boolean | undefined;
  /** A plain list without q-values, `fr-CH,fr`. */
  readonly acceptLanguage: string | undefined;
  /** The Accept-Language header, if it differs from the header that the browser derives from the list. */
  readonly languageHeader: string | undefined;
}
