/** How often another document begins a wait anew: more than any redirect needs, and an end for a page that always reloads itself. */
export const MAX_RESTARTS = 3;
