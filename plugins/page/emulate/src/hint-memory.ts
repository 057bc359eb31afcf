import { type InterceptHandler, InterceptStage } from '@platen/kernel';

/** Client hints for device memory: the old and the standard name. Browsers only send them to sites that request them. */
const NAMES: ReadonlySet<string> = new Set(['device-memory', 'sec-ch-device-memory']);

/** Rewrites the device memory hints of requests to the value that scripts see. Removes them if there is none. Gigabytes. */
export function hintMemory(memory: number): InterceptHandler {
  return {
    name: 'emulate',
    stage: InterceptStage.headers,
    request({ headers }) {
      for (const name of [...headers.keys()].filter((known) => NAMES.has(known.toLowerCase()))) {
        if (memory === 0) headers.delete(name);
        else headers.set(name, String(memory));
      }
      return undefined;
    },
  };
}
