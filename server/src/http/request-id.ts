import { randomUUID } from 'node:crypto';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The client's own id if it is safe in a header and a log line, else a new one. */
export function chooseRequestId(given: string): string {
  return SANE.test(given) ? given : randomUUID();
}
