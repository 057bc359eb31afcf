import type { DeviceProfile } from './contract.js';

/** Screen and window properties of a document. Sizes in CSS pixels. */
interface ScreenShim {
  readonly screen: Readonly<Record<string, number>>;
  readonly orientation: Readonly<Record<string, string | number>>;
  readonly window: Readonly<Record<string, number>>;
}

/** How a device is held (Screen Orientation, `OrientationType`, in the protocol's spelling), and by how many degrees it was turned. */
export interface Orientation {
  readonly type: 'landscapePrimary' | 'portraitPrimary';
  readonly angle: number;
}

/** A wide phone is in landscape orientation; a desktop's screen is always in its natural orientation. */
export function orientationOf({ width, height, mobile }: Pick<DeviceProfile, 'width' | 'height' | 'mobile'>): Orientation {
  const isWide = mobile ? width > height : width >= height;
  return isWide ? { type: 'landscapePrimary', angle: mobile ? 90 : 0 } : { type: 'portraitPrimary', angle: 0 };
}

/** Source text for a frame of another site: the emulation of a page's screen ends at the border of its process. */
export function frameScreenShim({ width, height, deviceScaleFactor }: DeviceProfile, { type, angle }: Orientation): string {
  return source({
    screen: { width, height, availWidth: width, availHeight: height },
    orientation: { type: type === 'landscapePrimary' ? 'landscape-primary' : 'portrait-primary', angle },
    window: { devicePixelRatio: deviceScaleFactor, outerWidth: width, outerHeight: height },
  });
}

/** Source text for a page: its window has the browser's default size, or none yet, whatever the emulated size. */
export function windowShim({ width, height }: DeviceProfile): string {
  return source({ screen: {}, orientation: {}, window: { outerWidth: width, outerHeight: height } });
}

function source(shim: ScreenShim): string {
  return `(${install.toString()})(${JSON.stringify(shim)})`;
}

/** Runs in the document, before its scripts. */
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
