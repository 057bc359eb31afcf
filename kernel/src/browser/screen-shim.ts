import type { DeviceProfile } from './contract.js';

/** What a document says of screen and window. Sizes in CSS pixels. */
interface ScreenShim {
  readonly screen: Readonly<Record<string, number>>;
  readonly orientation: Readonly<Record<string, string | number>>;
  readonly window: Readonly<Record<string, number>>;
}

/** How a device is held (Screen Orientation, `OrientationType`, in the protocol's spelling), and by how many degrees it was turned. */
export function orientationOf({ width, height }: DeviceProfile): { readonly type: 'landscapePrimary' | 'portraitPrimary'; angle: number } {
  return width > height ? { type: 'landscapePrimary', angle: 90 } : { type: 'portraitPrimary', angle: 0 };
}

/** Source text for a frame of another site: the emulation of a page's screen ends at the border of its process. */
export function frameScreenShim(profile: DeviceProfile): string {
  const { width, height, deviceScaleFactor, mobile } = profile;
  const { type, angle } = orientationOf(profile);
  return source({
    screen: { width, height, availWidth: width, availHeight: height },
    orientation: mobile ? { type: type === 'landscapePrimary' ? 'landscape-primary' : 'portrait-primary', angle } : {},
    window: { devicePixelRatio: deviceScaleFactor },
  });
}

/** Source text for a popup: its window has the browser's default size, whatever size is emulated within. */
export function popupWindowShim({ width, height }: DeviceProfile): string {
  return source({ screen: {}, orientation: {}, window: { outerWidth: width, outerHeight: height } });
}

function source(shim: ScreenShim): string {
  return `(${install.toString()})(${JSON.stringify(shim)})`;
}

/** Runs in the document, before its first statement. */
function install({ screen: ofScreen, orientation, window: ofWindow }: ScreenShim): void {
  const replace = (owner: object, values: Readonly<Record<string, string | number>>): void => {
    for (const [key, value] of Object.entries(values)) {
      const descriptor = Object.getOwnPropertyDescriptor(owner, key);
      if (!descriptor?.get) continue;
      const get = new Proxy(descriptor.get, {
        apply(target, receiver, given) {
          Reflect.apply(target, receiver, given);
          return value;
        },
      });
      Object.defineProperty(owner, key, { ...descriptor, get });
    }
  };
  replace(Screen.prototype, ofScreen);
  replace(ScreenOrientation.prototype, orientation);
  replace(window, ofWindow);
}
