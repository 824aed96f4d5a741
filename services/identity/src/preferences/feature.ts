import { GetPreferences, PreferencesChanged, UpdatePreferences } from '@messaging-gateway/contracts';
import { feature, operation, publication, tells, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { readPreferences, updatePreferences } from './changing.ts';
import { preferencesStream } from './preferences.ts';

/** Preferences: what a person wants to be told. */
export const preferences = feature({
  name: 'preferences',
  streams: [preferencesStream],
  tells: [
    tells(preferencesStream, {
      PreferencesChanged: ({ data: { userId, changed }, version }) => [
        publication(PreferencesChanged, { userId, version, changed }, userId),
      ],
    }),
  ],
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [
      operation(GetPreferences, (input) => readPreferences(tools, input)),
      operation(UpdatePreferences, (input) => updatePreferences(tools, input)),
    ],
  }),
});
