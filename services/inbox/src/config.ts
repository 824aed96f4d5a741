import type { Setting, SettingsOf } from '@messaging-gateway/runtime';

/** Settings of the inbox. */
export const inboxSettings = {
  isAlone: {
    variable: 'AMQP_URL',
    byDefault: 'none',
    means: 'Without brokers one process stores all messages, and knows without asking which changes wait for theirs.',
    read: (text: string | undefined): boolean => text === undefined,
  },
} as const satisfies Record<string, Setting<unknown>>;

export type InboxSettings = SettingsOf<typeof inboxSettings>;
