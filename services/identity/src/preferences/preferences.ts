import type { Preferences as Shape } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import type { Static } from 'typebox';

export type Preferences = Readonly<Static<typeof Shape>>;
export type PreferencesEvent = { type: 'PreferencesChanged'; data: { userId: string; changed: Partial<Preferences> } };
export type PreferencesCommand = { type: 'Change'; userId: string; wanted: Partial<Preferences> };

type Choice = keyof Preferences;

/** Notifications that a person wants. */
export const preferences: Decider<Preferences, PreferencesCommand, PreferencesEvent> = {
  initial: {
    notifyOnMessage: true,
    notifyOnConnect: true,
    notifyOnDisconnect: true,
    emailNotifications: false,
    pushNotifications: true,
  },
  decide: ({ userId, wanted }, state) => {
    const others = Object.entries(wanted).filter(([choice, value]) => state[choice as Choice] !== value);
    if (others.length === 0) return [];
    return [{ type: 'PreferencesChanged', data: { userId, changed: Object.fromEntries(others) } }];
  },
  evolve: (state, event) => ({ ...state, ...event.data.changed }),
};

export const preferencesStream: StreamType<Preferences, PreferencesCommand, PreferencesEvent> = {
  name: 'preferences',
  decider: preferences,
  events: { PreferencesChanged: { version: 1 } },
  snapshotEvery: 100,
};
