import { isTimeZone } from '@messaging-gateway/contracts';
import { getCountry } from 'countries-and-timezones';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Between zones in a key. */
const comma = ',';

const known = new Map<string, string>();

/**
 * Time zones that somebody may be in, as one text: that of the contact's `metadata.timezone`, else all of the country of the
 * number. Empty when neither tells: then UTC counts.
 *
 * @param phone digits
 */
export function zoneKeyOf({ phone, timezone }: { readonly phone: string | null; readonly timezone: unknown }): string {
  if (typeof timezone === 'string' && timezone !== '' && isTimeZone(timezone)) return timezone;
  const country = phone === null ? undefined : parsePhoneNumberFromString(`+${phone}`)?.country;
  if (country === undefined) return '';
  const found = known.get(country) ?? (getCountry(country)?.timezones ?? []).filter(isTimeZone).toSorted().join(comma);
  known.set(country, found);
  return found;
}

export const zonesOf = (key: string): readonly string[] => (key === '' ? ['UTC'] : key.split(comma));
