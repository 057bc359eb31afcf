import { readDateTime } from '@platen/kernel';

const DIGITS = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;

/** Milliseconds since 1970 of 14 digits in UTC or a date-time of RFC 3339; undefined if it is neither, or no such moment exists. */
export function readMoment(text: string): number | undefined {
  return readDateTime(text.replace(DIGITS, '$1-$2-$3T$4:$5:$6Z'));
}

/** 14 digits in UTC, as archives have them. */
export function toDigits(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14);
}
