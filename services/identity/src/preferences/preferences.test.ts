import { describe, expect, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { preferences, type PreferencesCommand, type PreferencesEvent } from './preferences.ts';

const given = specification(preferences);
const userId = '0198c0de-0000-7000-8000-000000000001';
const change = (wanted: PreferencesCommand['wanted']): PreferencesCommand => ({ type: 'Change', userId, wanted });
const changed = (choices: PreferencesEvent['data']['changed']): PreferencesEvent => ({
  type: 'PreferencesChanged',
  data: { userId, changed: choices },
});

describe('preferences', () => {
  it('are everything but mail at first', () =>
    expect(Object.entries(preferences.initial).filter(([, wanted]) => !wanted)).toEqual([
      ['emailNotifications', false],
    ]));
  it('change as far as something else is wanted', () =>
    given(changed({ notifyOnMessage: false }))
      .when(change({ notifyOnMessage: false, notifyOnConnect: false, pushNotifications: true }))
      .then(changed({ notifyOnConnect: false })));
  it('stay when nothing else is wanted', () => {
    given().when(change({})).thenNothing();
    given()
      .when(change({ emailNotifications: false }))
      .thenNothing();
  });
});
