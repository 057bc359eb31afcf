/** The flag that holds the shared secrets, without dashes in front. */
export const SIGNED_FLAG = 'server-signed-url';
/** The same in the environment. */
export const SIGNED_VARIABLE = 'PLATEN_SERVER_SIGNED_URL';
