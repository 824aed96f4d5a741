/** A contact as a message carries it; the phone number in digits. */
export interface ContactCard {
  readonly name: string;
  readonly phone?: string;
  readonly email?: string;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll(/\r?\n/g, '\\n').replaceAll(/[,;]/g, '\\$&');
const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, character: string) => (/n/i.test(character) ? '\n' : character));

/** A vCard 3.0 (RFC 2426) with the network's own mark of a number (`waid`), which makes it a contact one can write to. */
export function vcardOf({ name, phone, email }: ContactCard): string {
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped(name)};;;`,
    `FN:${escaped(name)}`,
    ...(phone === undefined ? [] : [`TEL;type=CELL;type=VOICE;waid=${phone}:+${phone}`]),
    ...(email === undefined ? [] : [`EMAIL:${escaped(email)}`]),
    'END:VCARD',
  ].join('\n');
}

/** Reads name, first phone number and first address of electronic mail; the rest of a card is not shown. */
export function readVcard(vcard: string, displayName: string): ContactCard {
  const fields = new Map<string, { readonly parameters: string; readonly value: string }>();
  // A line that begins with a blank goes on with the one before.
  for (const line of vcard.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const [, field = '', parameters = '', value = ''] = /^(?:[\w-]+\.)?([\w-]+)((?:;[^:]*)?):(.*)$/.exec(line) ?? [];
    const name = field.toUpperCase();
    if (name !== '' && value !== '' && !fields.has(name)) fields.set(name, { parameters, value: unescaped(value) });
  }
  const telephone = fields.get('TEL');
  const phone = /waid=(\d+)/i.exec(telephone?.parameters ?? '')?.[1] ?? telephone?.value.replaceAll(/\D/g, '');
  const email = fields.get('EMAIL')?.value;
  return {
    name: fields.get('FN')?.value ?? displayName,
    ...(phone !== undefined && phone !== '' && { phone }),
    ...(email !== undefined && { email }),
  };
}
