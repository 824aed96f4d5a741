/** A phone number of a card. */
interface CardPhone {
  /** Digits. */
  readonly phone: string;
  readonly label?: string | undefined;
}

/** A contact as a message carries it. */
export interface ContactCard {
  readonly name: string;
  /** Digits: the first number. */
  readonly phone?: string;
  /** All numbers. */
  readonly phones?: CardPhone[];
  readonly email?: string;
  readonly organization?: string;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll(/\r?\n/g, '\\n').replaceAll(/[,;]/g, '\\$&');
const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, character: string) => (/n/i.test(character) ? '\n' : character));

/** A vCard 3.0 (RFC 2426) with the network's own mark of a number (`waid`), which makes it a contact one can write to. */
export function vcardOf({ name, phone, phones, email, organization }: ContactCard): string {
  const numbers: readonly CardPhone[] = phones ?? (phone === undefined ? [] : [{ phone }]);
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped(name)};;;`,
    `FN:${escaped(name)}`,
    ...(organization === undefined ? [] : [`ORG:${escaped(organization)}`]),
    ...numbers.flatMap(phoneLines),
    ...(email === undefined ? [] : [`EMAIL:${escaped(email)}`]),
    'END:VCARD',
  ].join('\n');
}

/** A label stands in a line of its own, which a group of the vCard joins with its number. */
function phoneLines({ phone, label }: CardPhone, index: number): string[] {
  if (label === undefined) return [`TEL;type=CELL;type=VOICE;waid=${phone}:+${phone}`];
  const group = `item${index + 1}`;
  return [`${group}.TEL;waid=${phone}:+${phone}`, `${group}.X-ABLabel:${escaped(label)}`];
}

interface Property {
  /** Joins properties of a card. Empty without one. */
  readonly group: string;
  /** In capitals. */
  readonly name: string;
  readonly parameters: string;
  readonly value: string;
}

/** Reads name, numbers with their labels, first e-mail address and organization of a vCard 2.1, 3.0 or 4.0. */
export function readVcard(vcard: string, displayName: string): ContactCard {
  const properties = propertiesOf(vcard);
  const first = (name: string): Property | undefined => properties.find((property) => property.name === name);
  const labels = new Map(
    properties.flatMap(({ name, group, value }) => (name === 'X-ABLABEL' && group !== '' ? [[group, value]] : [])),
  );
  const phones = properties.flatMap((property) => (property.name === 'TEL' ? phoneOf(property, labels) : []));
  const email = first('EMAIL')?.value;
  const organization = first('ORG')?.value;
  const [only] = phones;
  return {
    name: first('FN')?.value ?? displayName,
    ...(only !== undefined && { phone: only.phone, phones }),
    ...(email !== undefined && { email }),
    ...(organization !== undefined && { organization }),
  };
}

/** Properties with a value, decoded. */
function propertiesOf(vcard: string): readonly Property[] {
  return unfolded(vcard).flatMap((line): Property[] => {
    const [, group = '', field = '', parameters = '', raw = ''] =
      /^(?:([\w-]+)\.)?([\w-]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
    const name = field.toUpperCase();
    const text = isQuotedPrintable(parameters) ? fromQuotedPrintable(raw) : raw;
    const value = valueOf(name, text).trim();
    return name === '' || value === '' ? [] : [{ group: group.toUpperCase(), name, parameters, value }];
  });
}

const isQuotedPrintable = (parameters: string): boolean => /;(encoding=)?quoted-printable/i.test(parameters);

/** Lines of a card. A line that begins with a blank, and one after `=` at the end of encoded text, continues the one before. */
function unfolded(vcard: string): readonly string[] {
  const all: string[] = [];
  let isContinued = false;
  for (const line of vcard.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    if (isContinued) all.push(`${(all.pop() ?? '').slice(0, -1)}${line}`);
    else all.push(line);
    const joined = all.at(-1) ?? '';
    isContinued = joined.endsWith('=') && isQuotedPrintable(joined.split(':', 1)[0] ?? '');
  }
  return all;
}

/** RFC 2045, with characters in UTF-8. */
function fromQuotedPrintable(text: string): string {
  const bytes = text.replaceAll(/[^\x20-\x7e]/g, (character) =>
    [...Buffer.from(character)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  const decoded = bytes.replaceAll(/=([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1').toString('utf8');
}

/** An organization is a list of company and departments. */
function valueOf(name: string, text: string): string {
  if (name !== 'ORG') return unescaped(text);
  const parts = text.split(/(?<!\\);/).map((part) => unescaped(part).trim());
  return parts.filter((part) => part !== '').join(', ');
}

/** Words of `TYPE` that tell nothing about a number. */
const commonTypes = new Set(['VOICE', 'PREF', 'TEL']);

function phoneOf({ group, parameters, value }: Property, labels: ReadonlyMap<string, string>): readonly CardPhone[] {
  const phone = /waid=(\d+)/i.exec(parameters)?.[1] ?? value.replace(/^tel:/i, '').replaceAll(/\D/g, '');
  if (phone === '') return [];
  const label = labelOf(labels.get(group)) ?? typeOf(parameters);
  return [{ phone, ...(label !== undefined && { label }) }];
}

/** The address book of iOS marks its own words: `_$!<Mobile>!$_`. */
const labelOf = (text: string | undefined): string | undefined => text?.replace(/^_\$!<(.*)>!\$_$/, '$1');

/** `TYPE=CELL`, as vCard 3.0 and 4.0 have it, or `;CELL` of vCard 2.1. */
function typeOf(parameters: string): string | undefined {
  const words = parameters.split(';').flatMap((parameter) => {
    const [, name = 'type', list = ''] = /^(?:([\w-]+)=)?(.*)$/.exec(parameter) ?? [];
    return name.toLowerCase() === 'type' ? list.replaceAll('"', '').split(',') : [];
  });
  return words.find((word) => word !== '' && !commonTypes.has(word.toUpperCase()));
}
