import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';

/** Settings of the inbox. */
export const inboxSettings = {
  isAlone: {
    variable: 'AMQP_URL',
    byDefault: 'none',
    means: 'Without brokers one process stores all messages, and knows without asking which changes wait for theirs.',
    read: (text: string | undefined): boolean => text === undefined,
  },
  contactQuota: {
    variable: 'QUOTA_CONTACTS',
    byDefault: '1000000',
    means:
      'Contacts of an organization, at most, as far as its people make and import them; 0: any number. Who writes becomes a contact all the same.',
    read: setting.integer(1_000_000, 0, 2 ** 31 - 1),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type InboxSettings = SettingsOf<typeof inboxSettings>;
