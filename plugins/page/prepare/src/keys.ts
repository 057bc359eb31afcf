import { paramKey } from '@platen/kernel';
import type { PrepareParams } from './params.js';

export const waitAfterParam = paramKey<PrepareParams, 'wait_after'>('wait_after');
