import { type InterceptHandler, InterceptStage } from '@platen/kernel';

/** Client hints of the device's memory, the old name and the standard one. They are only sent to sites that ask for them. */
const NAMES: ReadonlySet<string> = new Set(['device-memory', 'sec-ch-device-memory']);

/** Lets requests that tell of the memory tell what scripts see; of none, nothing. Gigabytes. */
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
