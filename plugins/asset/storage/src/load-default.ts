import { readFileSync } from 'node:fs';
import { describeReadError, PlatenError } from '@platen/kernel';
import { createFlagValidator, ValidationError } from '@platen/schema';
import { findStateError } from './check-state.js';
import { STATE_PROPERTIES } from './params.js';
import type { StorageState } from './state.js';

/** Reads the server's default storage from the file of `--storage`. Throws `boot_invalid_flag`, which never quotes the file. */
export function loadDefault(path: string): StorageState {
  const state = validate(parse(read(path)));
  const error = findStateError(state);
  if (error !== undefined) throw invalid(`"storage.${error.path}" ${error.detail}`);
  return state;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`the file ${JSON.stringify(path)} cannot be read: ${describeReadError(error)}`);
  }
}

/** The parser's own message would quote the file. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid('the file is not JSON');
  }
}

function validate(value: unknown): StorageState {
  try {
    const { storage } = createFlagValidator({ storage: { type: 'object', properties: STATE_PROPERTIES } })({ storage: value });
    return storage ?? {};
  } catch (error) {
    if (error instanceof ValidationError) throw invalid(error.message);
    throw error;
  }
}

function invalid(detail: string): PlatenError {
  return new PlatenError('boot_invalid_flag', `--storage: ${detail}`);
}
