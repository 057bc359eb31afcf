/** `navigator` properties that no protocol command can override. */
export interface NavigatorShim {
  /** By attribute; attributes that the scope lacks stay absent. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  /** The browser has no user-agent data: neither the attribute nor its interface object is there. */
  readonly withoutHints: boolean;
}

/**
 * Source text that overrides `navigator` in a document or worker. It runs while the target is paused (waitForDebuggerOnStart). To scripts
 * the getters still look like native functions, and they still throw on foreign receivers.
 */
export function navigatorShim(shim: NavigatorShim): string {
  return `(${install.toString()})(${JSON.stringify(shim)})`;
}

function install({ values, withoutHints }: NavigatorShim): void {
  const prototype = Object.getPrototypeOf(navigator) as object; // typed `any` by its library
  for (const [key, value] of Object.entries(values)) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, key);
    if (!descriptor?.get) continue;
    if (Array.isArray(value)) Object.freeze(value);
    const get = new Proxy(descriptor.get, {
      apply(target, receiver, given) {
        Reflect.apply(target, receiver, given);
        return value;
      },
    });
    Object.defineProperty(prototype, key, { ...descriptor, get });
  }
  if (!withoutHints) return;
  Reflect.deleteProperty(prototype, 'userAgentData');
  Reflect.deleteProperty(globalThis, 'NavigatorUAData');
}
