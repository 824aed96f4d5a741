import { Refusal } from './refusal.ts';

/**
 * Changes the settings named, in place.
 * @throws Refusal when a setting does not exist or its value is of another kind; nothing is changed then
 */
export function changed<Settings extends object>(settings: Settings, changes: Partial<Settings>): Settings {
  for (const [name, value] of Object.entries(changes)) {
    const present: unknown = settings[name as keyof Settings];
    if (present === undefined)
      throw new Refusal('SETTING_UNKNOWN', `${name} is none of: ${Object.keys(settings).join(', ')}.`);
    if (value === undefined) continue;
    const isAlike = typeof value === typeof present && Array.isArray(value) === Array.isArray(present);
    if (!isAlike) throw new Refusal('SETTING_INVALID', `${name} has to be like ${JSON.stringify(present)}.`);
  }
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.assign(settings, Object.fromEntries(given));
}
