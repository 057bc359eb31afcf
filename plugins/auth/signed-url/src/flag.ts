/** The flag of the shared secrets, without leading dashes. */
export const SIGNED_FLAG = 'server-signed-url';
/** The environment variable of the flag. */
export const SIGNED_VARIABLE = 'PLATEN_SERVER_SIGNED_URL';
