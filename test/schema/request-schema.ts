import { mergeSchema, ValidationError, type Fragments, type Issue, type RequestSchema } from '@platen/schema';

export const CORE = {
  url: { type: 'string', minLength: 1, nullable: false },
  output_type: { type: 'string', default: 'png', nullable: false },
} as const satisfies Fragments;

/** A schema of the kernel's keys and one plugin's, with the outputs png, jpg and webp, beside a disabled plugin "pdf". */
export function requestSchema(params: Fragments = {}): RequestSchema {
  return mergeSchema({
    parts: [
      { owner: 'kernel', params: CORE },
      { owner: 'page', params },
    ],
    outputs: [
      { type: 'png', owner: 'png' },
      { type: 'jpg', owner: 'jpg', aliases: ['jpeg'] },
      { type: 'webp', owner: 'webp', tier: 'pro' },
    ],
    absent: [{ plugin: 'pdf', keys: ['pdf_scale'], outputs: ['pdf'] }],
  });
}

/** What a validation that throws finds wrong; nothing where it does not throw. */
export function issuesOf(validate: () => unknown): readonly Issue[] {
  try {
    validate();
  } catch (error) {
    if (error instanceof ValidationError) return error.issues;
    throw error;
  }
  return [];
}
