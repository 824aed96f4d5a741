import type { Setting, SettingsOf } from '@messaging-gateway/runtime';

/** The inbox has no settings of its own yet. */
export const inboxSettings = {} as const satisfies Record<string, Setting<unknown>>;

export type InboxSettings = SettingsOf<typeof inboxSettings>;
