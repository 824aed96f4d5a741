/** The inbox has no settings of its own yet. */
export type InboxSettings = Readonly<Record<string, never>>;
