/** What `navigator` says in a worker, where no protocol command reaches. */
export type WorkerNavigator = Readonly<Record<string, string>>;

/**
 * Source text that gives a worker's `navigator` these values. It runs while the worker is held before its first statement. The
 * getters stay native functions in all that a script can see of them, and keep refusing foreign receivers.
 */
export function workerShim(values: WorkerNavigator): string {
  return `(${install.toString()})(${JSON.stringify(values)})`;
}

function install(values: WorkerNavigator): void {
  const prototype = Object.getPrototypeOf(navigator) as object; // typed `any` by its library
  for (const [key, value] of Object.entries(values)) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, key);
    if (!descriptor?.get) continue;
    const get = new Proxy(descriptor.get, {
      apply(target, receiver, given) {
        Reflect.apply(target, receiver, given);
        return value;
      },
    });
    Object.defineProperty(prototype, key, { ...descriptor, get });
  }
}
