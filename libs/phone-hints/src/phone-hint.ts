import type { CountryCode, PhoneNumber } from 'libphonenumber-js/min';

/** A number as its country writes it: without its country code. */
interface Written {
  readonly country: CountryCode | undefined;
  readonly national: string;
}

/**
 * The likely fault of a phone that is not on the network. The sentence names none of the phone's digits.
 *
 * @param digits of the phone as the network is asked for it: with the country code, without `+`
 * @returns a sentence; undefined when the digits look right
 */
export async function phoneHint(digits: string): Promise<string | undefined> {
  if (digits.startsWith('00'))
    return 'It begins with 00, which is dialled for "+" in some countries: leave it out, as in +4915112345678.';
  if (digits.startsWith('0'))
    return 'It begins with 0, so its country code seems to be missing: write +4915112345678, not 015112345678.';
  const { parsePhoneNumberFromString: parse } = await import('libphonenumber-js/min');
  const parsed = parse(`+${digits}`);
  return ofItsCountry(writtenOf(digits, parsed)) ?? ofForm(digits, parsed);
}

const writtenOf = (digits: string, parsed: PhoneNumber | undefined): Written => ({
  country: parsed?.country,
  national: parsed === undefined ? '' : digits.slice(parsed.countryCallingCode.length),
});

/** Digits that mobile numbers of a country have or had behind its code, with which or without which the network may know them. */
function ofItsCountry({ country, national }: Written): string | undefined {
  if (country === 'BR' && /^\d\d[6-9]\d{7}$/.test(national))
    return 'Mobile numbers of Brazil have a 9 behind the area code: try it with that, such as +5511987654321.';
  if (country === 'BR' && /^\d\d9\d{8}$/.test(national))
    return 'The network knows some mobile numbers of Brazil without the 9 behind the area code: try it without, such as +551187654321.';
  if (country === 'MX' && /^1\d{10}$/.test(national))
    return 'Numbers of Mexico have no 1 behind 52 any more: try it without, such as +525512345678.';
  if (country === 'MX' && /^\d{10}$/.test(national))
    return 'The network knows some mobile numbers of Mexico with a 1 behind 52: try it with that, such as +5215512345678.';
  if (country === 'AR' && !national.startsWith('9'))
    return 'Mobile numbers of Argentina have a 9 behind 54, and no 15: try it that way, such as +5491123456789.';
  return undefined;
}

function ofForm(digits: string, parsed: PhoneNumber | undefined): string | undefined {
  if (parsed?.isValid() !== true)
    return 'No country has a number like it: its country code may be missing (write +4915112345678, not 15112345678), or digits be wrong.';
  if (parsed.number === `+${digits}`) return undefined;
  return 'It has a digit behind its country code that is dialled within the country only: write +4915112345678, not +49015112345678.';
}
