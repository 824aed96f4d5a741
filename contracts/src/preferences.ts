import { Type } from 'typebox';
import { closed } from './shapes.ts';

export const preferenceChoices = {
  notifyOnMessage: Type.Boolean({ description: 'A message came in' }),
  notifyOnConnect: Type.Boolean({ description: 'A profile is connected' }),
  notifyOnDisconnect: Type.Boolean({ description: 'A profile was logged out, or cannot be connected' }),
  emailNotifications: Type.Boolean({ description: 'By mail too' }),
  pushNotifications: Type.Boolean({ description: 'To subscribed browsers too' }),
};

/** Preferences of a person: what to be told of. */
export const Preferences = closed(preferenceChoices, { title: 'Preferences' });
