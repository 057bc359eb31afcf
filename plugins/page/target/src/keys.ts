import { paramKey } from '@platen/kernel';
import type { TargetParams } from './params.js';

export const headerParam = paramKey<TargetParams, 'header'>('header');
export const javascriptParam = paramKey<TargetParams, 'javascript'>('javascript');
