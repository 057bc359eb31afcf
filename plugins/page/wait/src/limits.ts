/** Maximum number of documents that restart a wait: more than redirects need, and a limit for pages that reload forever. */
export const MAX_RESTARTS = 3;
