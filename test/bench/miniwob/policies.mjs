// Policies by task. Each sees snapshots only: it reads the goal and acts by refs.
import { CLICKING } from './clicking.mjs';
import { FILLING } from './filling.mjs';

export const POLICIES = { ...CLICKING, ...FILLING };
