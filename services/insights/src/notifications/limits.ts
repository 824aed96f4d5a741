/** Notifications of a user, at most: the oldest go. */
export const mostOfUser = 1_000;
