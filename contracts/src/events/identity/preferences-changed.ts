import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Preferences } from '../../preferences.ts';
import { Id, closed } from '../../shapes.ts';

export const PreferencesChanged = event({
  type: 'preferences.changed',
  version: 1,
  owner: 'identity',
  visibility: 'internal',
  means: 'Somebody wants to be told other things than before.',
  data: closed({
    userId: Id,
    version: Type.Integer({
      minimum: 1,
      description: 'Counts the changes of this user: each builds on the one before',
    }),
    changed: Type.Partial(Preferences),
  }),
  example: {
    userId: '0198c0de-0000-7000-8000-000000000001',
    version: 1,
    changed: { notifyOnMessage: false },
  },
});
