import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { preferenceChoices as choices, Preferences } from '../../preferences.ts';
import { closed } from '../../shapes.ts';

export const GetPreferences = operation({
  name: 'GetPreferences',
  owner: 'identity',
  method: 'GET',
  path: '/auth/preferences',
  access: 'own',
  tag: 'Auth',
  summary: 'Get preferences',
  means: 'What the user wants to be told; everything but mail until it is changed.',
  answers: { 200: { body: Preferences, means: 'The preferences.' } },
  errors: ['UNAUTHORIZED'],
});

export const UpdatePreferences = operation({
  name: 'UpdatePreferences',
  owner: 'identity',
  method: 'PATCH',
  path: '/auth/preferences',
  access: 'own:write',
  tag: 'Auth',
  audit: { action: 'user.update_preferences', resourceParameter: null },
  summary: 'Update preferences',
  means: 'Changes those that are given.',
  body: closed({
    notifyOnMessage: Type.Optional(choices.notifyOnMessage),
    notifyOnConnect: Type.Optional(choices.notifyOnConnect),
    notifyOnDisconnect: Type.Optional(choices.notifyOnDisconnect),
    emailNotifications: Type.Optional(choices.emailNotifications),
    pushNotifications: Type.Optional(choices.pushNotifications),
  }),
  answers: { 200: { body: Preferences, means: 'The preferences as they are now.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  example: { notifyOnMessage: false },
});
