import { PlatenError } from '@platen/kernel';

export const FLAGS = {
  's3-store-bucket': {
    type: 'string',
    minLength: 1,
    pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    description:
      'Bucket of an S3-compatible service that stores additional assets, and cached results with --server-cache. Several servers can share it.',
    examples: ['renders'],
    'x-expects': 'the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
  },
  's3-store-endpoint': {
    type: 'string',
    minLength: 1,
    pattern: '^https?://[^/?#@\\s]+/?$',
    description: 'URL of the service, addressed as ENDPOINT/BUCKET/KEY. Without it: BUCKET.s3.REGION.amazonaws.com.',
    examples: ['https://minio.example.com:9000'],
    'x-expects': 'an http or https URL without credentials, path and query',
  },
  's3-store-region': {
    type: 'string',
    minLength: 1,
    pattern: '^[a-z0-9-]+$',
    description: 'Region of the bucket.',
    default: 'us-east-1',
  },
  's3-store-prefix': {
    type: 'string',
    minLength: 1,
    pattern: '^[\\w-][\\w.-]*(/[\\w-][\\w.-]*)*$',
    description: 'Start of the keys of all objects, followed by a slash.',
    examples: ['platen/production'],
    'x-expects': 'letters, digits, _, - and ., in parts separated by /',
  },
  's3-store-access-key-id': {
    type: 'string',
    minLength: 1,
    description: 'Id of the access key for the bucket, or @FILE.',
    'x-secret': true,
  },
  's3-store-secret-access-key': {
    type: 'string',
    minLength: 1,
    description: 'Secret of the access key for the bucket, or @FILE.',
    'x-secret': true,
  },
} as const;

/** Values of the flags. */
export type StoreFlags = Partial<Readonly<Record<keyof typeof FLAGS, string>>>;

export interface Settings {
  readonly bucket: string;
  /** URL of the bucket, without a slash at the end. */
  readonly bucketUrl: string;
  readonly region: string;
  /** Empty, or with a slash at the end. */
  readonly prefix: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * Undefined without a bucket.
 *
 * @throws PlatenError `boot_invalid_flag` if a bucket is given without credentials.
 */
export function readSettings(flags: StoreFlags): Settings | undefined {
  const {
    's3-store-bucket': bucket,
    's3-store-endpoint': endpoint,
    's3-store-region': region = 'us-east-1',
    's3-store-prefix': prefix,
  } = flags;
  if (bucket === undefined) return undefined;
  return {
    bucket,
    bucketUrl: endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint.replace(/\/$/, '')}/${bucket}`,
    region,
    prefix: prefix === undefined ? '' : `${prefix}/`,
    credentials: {
      accessKeyId: required(flags, 's3-store-access-key-id'),
      secretAccessKey: required(flags, 's3-store-secret-access-key'),
    },
  };
}

function required(flags: StoreFlags, name: keyof StoreFlags): string {
  const value = flags[name];
  if (value === undefined) throw new PlatenError('boot_invalid_flag', `--s3-store-bucket requires --${name}`);
  return value;
}
