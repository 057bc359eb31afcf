import { paramKey } from '@platen/kernel';
import type { WaitParams } from './index.js';

export const waitForParam = paramKey<WaitParams, 'wait_for'>('wait_for');
