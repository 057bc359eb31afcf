declare module '@20minutes/s3rver' {
  import type { RequestListener } from 'node:http';

  /** The part that is used here: the package has no types. */
  export default class S3rver {
    constructor(options: {
      readonly directory: string;
      readonly silent: boolean;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    configureBuckets(): Promise<void>;
    callback(): RequestListener;
  }
}
