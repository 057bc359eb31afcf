import { paramKey } from '@platen/kernel';
import type { LlmParams } from './params.js';

export const formatModelParam = paramKey<LlmParams, 'llm_format_model'>('llm_format_model');
export const noScreenshotLabelsParam = paramKey<LlmParams, 'llm_no_screenshot_labels'>('llm_no_screenshot_labels');
