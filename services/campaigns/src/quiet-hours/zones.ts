import { getCountry } from 'countries-and-timezones';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Between zones in a key. */
const comma = ',';

/** An IANA name that this runtime knows; a difference from UTC such as `+05:00` is none. */
export function isZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const known = new Map<string, string>();

/**
 * Time zones that somebody may be in, as one text: that of the contact's `metadata.timezone`, else all of the country of the
 * number. Empty when neither tells: then UTC counts.
 *
 * @param phone digits
 */
export function zoneKeyOf({ phone, timezone }: { readonly phone: string | null; readonly timezone: unknown }): string {
  if (typeof timezone === 'string' && timezone !== '' && isZone(timezone)) return timezone;
  const country = phone === null ? undefined : parsePhoneNumberFromString(`+${phone}`)?.country;
  if (country === undefined) return '';
  const found = known.get(country) ?? (getCountry(country)?.timezones ?? []).filter(isZone).toSorted().join(comma);
  known.set(country, found);
  return found;
}

export const zonesOf = (key: string): readonly string[] => (key === '' ? ['UTC'] : key.split(comma));
