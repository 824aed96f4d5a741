/** The inbox has no settings of its own yet. */
export const inboxSettings = {};
export type InboxSettings = Readonly<Record<string, never>>;
